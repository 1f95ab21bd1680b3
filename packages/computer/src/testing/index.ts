/** For tests of what is built on a workspace: a computer in memory whose commands are functions. */

export {
  type MemoryCommand,
  type MemoryCommandContext,
  MemoryComputer,
  type MemoryComputerOptions,
} from "./memory-computer.ts";
