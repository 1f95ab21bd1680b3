/** Compile-only: the names and members of the shell's entry points in the API of 0.8.0. What is not there stands in `missing-0.8.0.ts`. */

import * as shell from "@cloudflare/computer/backends/worker-shell";
import core from "@cloudflare/computer/shell/core";
import curl from "@cloudflare/computer/shell/curl";
import file from "@cloudflare/computer/shell/file";
import htmlToMarkdown from "@cloudflare/computer/shell/html-to-markdown";
import jq from "@cloudflare/computer/shell/jq";
import xan from "@cloudflare/computer/shell/xan";
import yq from "@cloudflare/computer/shell/yq";

export type shell_ExecInput = Pick<shell.ExecInput, "command" | "cwd" | "id" | "timeoutMs" | "env" | "stdin">;
void shell.SHELL_CORE_MODULES;
void shell.SHELL_RUNTIME_MODULES;
export type shell_ShellModuleGroup = shell.ShellModuleGroup;
void shell.ShellWorker;
export type shell_ShellWorkerOptions = Pick<shell.ShellWorkerOptions, "cwd" | "fetch">;
void shell.WorkerShellBackend;
export type shell_WorkerShellBackend = Pick<
  InstanceType<typeof shell.WorkerShellBackend>,
  "type" | "description" | "id" | "connect"
>;
export type shell_WorkerShellBackendOptions = Pick<
  shell.WorkerShellBackendOptions,
  | "source"
  | "loader"
  | "workspace"
  | "ctx"
  | "loaderId"
  | "compatibilityDate"
  | "compatibilityFlags"
  | "egress"
  | "id"
  | "commands"
>;
export type shell_WorkerShellLoader = Pick<shell.WorkerShellLoader, "get">;
export type shell_WorkerShellRuntime = Pick<shell.WorkerShellRuntime, "exec" | "getExec" | "killExec">;
export type shell_WorkerShellSource = shell.WorkerShellSource;
export type shell_WorkspaceEgressPolicy = shell.WorkspaceEgressPolicy;
export type shell_WorkspaceFs = Pick<
  shell.WorkspaceFs,
  | "readFile"
  | "exists"
  | "stat"
  | "statOrNull"
  | "lstat"
  | "lstatOrNull"
  | "readdir"
  | "find"
  | "ls"
  | "grep"
  | "readlink"
  | "writeFile"
  | "mkdir"
  | "rm"
  | "chmod"
  | "symlink"
  | "rename"
>;
void shell.WorkspaceFsAdapter;
export type shell_WorkspaceFsAdapter = Pick<
  InstanceType<typeof shell.WorkspaceFsAdapter>,
  | "readFile"
  | "readFileBuffer"
  | "exists"
  | "stat"
  | "lstat"
  | "readdir"
  | "readdirWithFileTypes"
  | "readlink"
  | "writeFile"
  | "appendFile"
  | "mkdir"
  | "rm"
  | "chmod"
  | "symlink"
  | "cp"
  | "mv"
  | "resolvePath"
  | "getAllPaths"
  | "link"
  | "utimes"
  | "realpath"
>;
void shell.assembleShellModules;
void core;
void curl;
void htmlToMarkdown;
void yq;
void file;
void xan;
void jq;
