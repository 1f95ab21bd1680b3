/** Compile-only: the names and members of the API of 0.8.0 that share files. */

import * as computer from "@cloudflare/computer";
import * as assets from "@cloudflare/computer/assets";
import * as shell from "@cloudflare/computer/backends/worker-shell";
import * as assetsModule from "@cloudflare/computer/modules/assets";

export type computer_LazyWorkspaceClient = Pick<computer.LazyWorkspaceClient, "assets">;
export type computer_Workspace = Pick<computer.Workspace, "assets">;
void computer.WorkspaceAssetsStub;
export type computer_WorkspaceAssetsStub = Pick<computer.WorkspaceAssetsStub, "publish">;
export type computer_WorkspaceClient = Pick<computer.WorkspaceClient, "assets">;
export type computer_WorkspaceModuleHost = Pick<computer.WorkspaceModuleHost, "assets">;
export type computer_WorkspaceOptions = Pick<computer.WorkspaceOptions, "assets">;
export type computer_WorkspaceStub = Pick<computer.WorkspaceStub, "assets" | "hasAssets">;

// ./assets
export type assets_AssetsClient = Pick<assets.AssetsClient, "share">;
export type assets_AssetsEnv = assets.AssetsEnv;
export type assets_CreateAssetsOptions = Pick<assets.CreateAssetsOptions, "ws" | "bucket" | "s3" | "env" | "now">;
export type assets_R2PutBucket = Pick<assets.R2PutBucket, "put">;
export type assets_S3Config = Pick<
  assets.S3Config,
  "bucket" | "accountId" | "accessKeyId" | "secretAccessKey" | "endpoint" | "region" | "service"
>;
export type assets_ShareOptions = Pick<
  assets.ShareOptions,
  "expiresAfter" | "prefix" | "contentType" | "filename" | "disposition"
>;
export type assets_WorkspaceLike = Pick<assets.WorkspaceLike, "sessionId" | "fs">;
void assets.createAssets;
void assets.resolveS3;

// ./modules/assets
export type assetsModule_AssetsModuleOptions = Pick<assetsModule.AssetsModuleOptions, "defaultExpiresAfterMs">;
void assetsModule.createAssetsModule;

// ./backends/worker-shell
export type shell_AssetsCommandHost = Pick<shell.AssetsCommandHost, "assets">;
void shell.defineAssetsCommand;
