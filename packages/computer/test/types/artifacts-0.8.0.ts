/** Compile-only: the names and members of the API of 0.8.0 that are about artifacts. */

import * as computer from "@cloudflare/computer";
import * as artifacts from "@cloudflare/computer/artifacts";
import * as shell from "@cloudflare/computer/backends/worker-shell";
import * as artifactsModule from "@cloudflare/computer/modules/artifacts";

void computer.ArtifactsCLITarget;
export type computer_ArtifactsCLITarget = Pick<computer.ArtifactsCLITarget, "cli">;
export type computer_LazyWorkspaceClient = Pick<computer.LazyWorkspaceClient, "artifacts">;
export type computer_Workspace = Pick<computer.Workspace, "artifacts">;
export type computer_WorkspaceClient = Pick<computer.WorkspaceClient, "artifacts">;
export type computer_WorkspaceModuleHost = Pick<computer.WorkspaceModuleHost, "artifacts">;
export type computer_WorkspaceOptions = Pick<computer.WorkspaceOptions, "artifacts">;
export type computer_WorkspaceServiceProxy = Pick<computer.WorkspaceServiceProxy, "getArtifacts" | "artifactsCLI">;
export type computer_WorkspaceStub = Pick<computer.WorkspaceStub, "artifacts">;

// ./artifacts
export type artifacts_ArtifactClient = Pick<
  artifacts.ArtifactClient,
  | "sessionId"
  | "create"
  | "get"
  | "list"
  | "import"
  | "delete"
  | "createToken"
  | "listTokens"
  | "getToken"
  | "revokeToken"
  | "cli"
>;
void artifacts.ArtifactError;
export type artifacts_ArtifactError = Pick<artifacts.ArtifactError, "code">;
export type artifacts_ArtifactImportOptions = Pick<artifacts.ArtifactImportOptions, "description" | "readOnly">;
export type artifacts_ArtifactImportSource = Pick<artifacts.ArtifactImportSource, "url" | "branch" | "depth">;
export type artifacts_ArtifactRepoSummary = artifacts.ArtifactRepoSummary;
export type artifacts_ArtifactScope = artifacts.ArtifactScope;
export type artifacts_ArtifactsCLIInput = Pick<artifacts.ArtifactsCLIInput, "argv" | "env" | "remoteAdd">;
export type artifacts_ArtifactsCLIResult = Pick<artifacts.ArtifactsCLIResult, "stdout" | "stderr" | "exitCode">;
void artifacts.InvalidRepoNameError;
export type artifacts_InvalidRepoNameError = Pick<artifacts.InvalidRepoNameError, "code">;
void artifacts.InvalidSessionIdError;
export type artifacts_InvalidSessionIdError = Pick<artifacts.InvalidSessionIdError, "code">;
void artifacts.NotFoundError;
export type artifacts_NotFoundError = Pick<artifacts.NotFoundError, "code">;
export type artifacts_RemoteAddFn = artifacts.RemoteAddFn;
void artifacts.createArtifact;
void artifacts.runArtifactsCLI;

// ./modules/artifacts
export type artifactsModule_ArtifactsModuleOptions = Pick<artifactsModule.ArtifactsModuleOptions, "allowNetwork">;
void artifactsModule.createArtifactsModule;

// ./backends/worker-shell
export type shell_ArtifactsCommandHost = Pick<shell.ArtifactsCommandHost, "artifacts" | "git">;
void shell.defineArtifactsCommand;
