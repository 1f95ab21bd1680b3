/** Spans in Cloudflare's own tracing. */

import type { WorkspaceAttributes, WorkspaceAttributeValue, WorkspaceObserver, WorkspaceSpan } from "./observer.ts";

/** The part of a Worker's `tracing` that is used. */
export interface CloudflareTracing {
  enterSpan<T>(name: string, callback: (span: CloudflareSpan) => T): T;
}

interface CloudflareSpan {
  setAttribute(key: string, value: WorkspaceAttributeValue): unknown;
}

export interface CloudflareObserverOptions {
  /** `tracing` of `cloudflare:workers`, or of an execution context. */
  tracing: CloudflareTracing;
}

/**
 * An observer that makes a span of Cloudflare's tracing for each operation, and marks those that fail with `error` and `error.code`.
 *
 * @example
 * new Workspace({ storage, observer: createCloudflareObserver({ tracing }) })
 */
export function createCloudflareObserver(options: CloudflareObserverOptions): WorkspaceObserver {
  const { tracing } = options;
  return {
    span: <T>(name: string, attributes: WorkspaceAttributes, run: (span: WorkspaceSpan) => Promise<T>): Promise<T> =>
      tracing.enterSpan(name, async (span) => {
        for (const [key, value] of Object.entries(attributes)) set(span, key, value);
        try {
          return await run({ setAttribute: (key, value) => set(span, key, value) });
        } catch (error) {
          set(span, "error", true);
          if (error instanceof Error && "code" in error) set(span, "error.code", String(error.code));
          throw error;
        }
      }),
  };
}

function set(span: CloudflareSpan, key: string, value: WorkspaceAttributeValue | undefined): void {
  if (value !== undefined) span.setAttribute(key, value);
}
