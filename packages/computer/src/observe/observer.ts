/** Where a workspace's operations are told to: one span each, with attributes. */

export type WorkspaceAttributeValue = string | number | boolean;

export type WorkspaceAttributes = { readonly [key: string]: WorkspaceAttributeValue | undefined };

/** An operation that is going on. */
export interface WorkspaceSpan {
  setAttribute(key: string, value: WorkspaceAttributeValue | undefined): void;
}

/** Wraps each operation: calls `run` once and gives back what it gives. */
export interface WorkspaceObserver {
  span<T>(name: string, attributes: WorkspaceAttributes, run: (span: WorkspaceSpan) => Promise<T>): Promise<T>;
}

/** Observes nothing. */
export const noopObserver: WorkspaceObserver = {
  span: (_name, _attributes, run) => run({ setAttribute: () => {} }),
};
