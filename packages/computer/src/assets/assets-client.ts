/** Files of a workspace behind links that anyone can open until they expire. */

/** What a file is shared as. */
export interface ShareOptions {
  /** Milliseconds that the link works, rounded up to whole seconds; seven days at most. */
  expiresAfter: number;
  /** Begins the key of the object. Default the workspace's session id. */
  prefix?: string | undefined;
  /** Default by the name's extension. */
  contentType?: string | undefined;
  /** What a browser saves it as. Default the last name of the path. */
  filename?: string | undefined;
  /** Whether a browser shows it or saves it. Default `inline`. */
  disposition?: "inline" | "attachment" | undefined;
}

/** Shares files. */
export interface AssetsClient {
  /**
   * A link to the file as it is now; what is written to the path afterwards does not show. `ENOENT`, `EISDIR`; `EOPTION` for options
   * that are wrong.
   */
  share(path: string, opts: ShareOptions): Promise<string>;
}

/** What of sharing is offered where a caller is not trusted with more: a path, and for how many milliseconds. */
export interface AssetsPublisher {
  publish(path: string, options: Pick<ShareOptions, "expiresAfter">): Promise<string>;
}

/** The part of a workspace that sharing needs; a `Workspace` is one. */
export interface WorkspaceLike {
  readonly sessionId: string;
  readonly fs: {
    stat(path: string): Promise<{ size: number }>;
    readFile(path: string): Promise<ReadableStream<Uint8Array>>;
  };
}

/** The part of an R2 bucket's binding that sharing needs. */
export interface R2PutBucket {
  put(
    key: string,
    value: ReadableStream<Uint8Array>,
    options?: {
      httpMetadata?: { contentType?: string; contentDisposition?: string };
      customMetadata?: Record<string, string>;
    },
  ): Promise<unknown>;
}
