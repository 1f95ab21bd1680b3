/** Compile-only: the names and members of the API of 0.8.0 that are about mounts. */

import * as computer from "@cloudflare/computer";

export type computer_EagerMount = Pick<
  computer.EagerMount,
  "strategy" | "materialize" | "kind" | "mode" | "maxBytes" | "maxEntries" | "version"
>;
export type computer_Mount = computer.Mount;
export type computer_MountBase = Pick<computer.MountBase, "kind" | "mode" | "maxBytes" | "maxEntries" | "version">;
export type computer_MountContext = Pick<computer.MountContext, "sessionId" | "root" | "vfs">;
export type computer_MountFactory = computer.MountFactory;
export type computer_MountWriteAPI = Pick<computer.MountWriteAPI, "root" | "writeFile" | "mkdir">;
void computer.R2Bucket;
export type computer_R2BucketBinding = Pick<computer.R2BucketBinding, "list" | "get">;
export type computer_R2BucketOptions = Pick<
  computer.R2BucketOptions,
  "prefix" | "mode" | "listLimit" | "concurrency" | "maxBytes" | "maxEntries"
>;
void computer.WorkerBundle;
export type computer_WorkerBundleEntry = Pick<computer.WorkerBundleEntry, "path" | "type">;
export type computer_WorkerBundleFile = computer.WorkerBundleFile;
export type computer_WorkerBundleOptions = Pick<
  computer.WorkerBundleOptions,
  "filter" | "fileMode" | "version" | "maxBytes" | "maxEntries"
>;
export type computer_WorkerBundleSource = Pick<computer.WorkerBundleSource, "files" | "version">;
export type computer_WorkerBundleTree = computer.WorkerBundleTree;
export type computer_Workspace = Pick<computer.Workspace, "ensureMountsIndexed" | "mounts">;
export type computer_WorkspaceOptions = Pick<computer.WorkspaceOptions, "mounts">;
