/** What is told of a computer to those who choose one. */

export interface WorkspaceBackendInfo {
  readonly id: string;
  /** What runs there: shell commands, or ES modules. */
  readonly protocol: "command" | "module";
  /** Takes structured input and returns a structured value. */
  readonly callable: boolean;
  readonly description?: string | undefined;
}
