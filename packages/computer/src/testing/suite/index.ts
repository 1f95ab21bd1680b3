/** The suite that every computer passes, the user's own too. It needs vitest. */

export { describeComputer } from "./describe-computer.ts";
export { scriptedCommands, scriptedSources } from "./scripted-sources.ts";
export { shellSources } from "./shell-sources.ts";
export type { ComputerUnderTest, RunOnComputer, ScriptSources } from "./under-test.ts";
