/** Git repositories that outlive the workspace, as a workspace has them. */

/** What a token allows. */
export type ArtifactScope = "write" | "read";

export interface ArtifactImportSource {
  /** The address of a git repository, `https:`. */
  url: string;
  branch?: string | undefined;
  /** Commits of history, the newest. */
  depth?: number | undefined;
}

export interface ArtifactImportOptions {
  description?: string | undefined;
  readOnly?: boolean | undefined;
}

/** Makes a remote of the git repository that a command line stands in. */
export type RemoteAddFn = (opts: {
  name: string;
  url: string;
  /** Whether one of this name is replaced. */
  force?: boolean;
}) => Promise<{
  ok: boolean /** Whether it failed since there is one of this name. */;
  exists?: boolean;
  message?: string;
}>;

/** A command line of `artifacts`. */
export interface ArtifactsCLIInput {
  /** What comes after `artifacts`. */
  argv: string[];
  env?: Record<string, string> | undefined;
  /** Where it is missing, `--remote` is refused. */
  remoteAdd?: RemoteAddFn | undefined;
}

export interface ArtifactsCLIResult {
  /** JSON. */
  stdout: string;
  stderr: string;
  /** 0; 1 for what failed; 129 for a command line that is not well-formed. */
  exitCode: number;
}

/** A repository without its address. */
export type ArtifactRepoSummary = Omit<ArtifactsRepoInfo, "remote">;

/**
 * The repositories of one session, or of the whole namespace. Names are those within the session. `NotFoundError` for a repository that
 * the session does not have, `InvalidRepoNameError` before anything is asked.
 */
export interface ArtifactClient {
  /** Undefined where it spans the namespace. */
  readonly sessionId: string | undefined;
  /** A new repository, and a token to write to it, which is told only now. */
  create(
    name: string,
    opts?: {
      readOnly?: boolean | undefined;
      description?: string | undefined;
      setDefaultBranch?: string | undefined;
    },
  ): Promise<ArtifactsCreateRepoResult>;
  get(name: string): Promise<ArtifactsRepoInfo>;
  /** All of them. */
  list(): Promise<ArtifactRepoSummary[]>;
  /** A new repository with the history of another one. */
  import(name: string, source: ArtifactImportSource, opts?: ArtifactImportOptions): Promise<ArtifactsCreateRepoResult>;
  /** False where there was none. */
  delete(name: string): Promise<boolean>;
  /** `ttl` is seconds, from 60 to a year; default a day. */
  createToken(name: string, scope?: ArtifactScope, ttl?: number): Promise<ArtifactsCreateTokenResult>;
  listTokens(name: string): Promise<ArtifactsTokenListResult>;
  /** `NotFoundError` for a token that is not listed. */
  getToken(name: string, id: string): Promise<ArtifactsTokenInfo>;
  /** False where it was none of the repository's that still worked. */
  revokeToken(name: string, tokenOrId: string): Promise<boolean>;
  /** The command `artifacts`, given its arguments. */
  cli(input: ArtifactsCLIInput): Promise<ArtifactsCLIResult>;
}
