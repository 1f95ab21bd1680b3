/** Each tool for the AI SDK, over what it needs of a workspace. */

import type { Tool } from "ai";
import { type DeleteInput, type DeleteOutput, type DeleteToolOptions, defineDelete } from "../core/delete.ts";
import { defineEdit, type EditInput, type EditOutput, type EditToolOptions } from "../core/edit.ts";
import { defineExec } from "../core/exec.ts";
import type { ExecInput, ExecToolOptions, ExecToolOutput } from "../core/exec-types.ts";
import { defineFind, type FindInput, type FindOutput, type FindToolOptions } from "../core/find.ts";
import { defineGrep, type GrepInput, type GrepOutput, type GrepToolOptions } from "../core/grep.ts";
import { defineList, type ListInput, type ListOutput, type ListToolOptions } from "../core/ls.ts";
import { definePublish, type PublishInput, type PublishOutput, type PublishToolOptions } from "../core/publish.ts";
import { defineRead, type ReadInput, type ReadOutput, type ReadToolOptions } from "../core/read.ts";
import { defineWrite, type WriteInput, type WriteOutput, type WriteToolOptions } from "../core/write.ts";
import { aiTool } from "./ai-tool.ts";

/** `read`: text by lines or bytes, images and PDFs. */
export function createReadTool(options: ReadToolOptions): Tool<ReadInput, ReadOutput> {
  return aiTool(defineRead(options));
}

/** `ls`: what is in a directory. */
export function createListTool(options: ListToolOptions): Tool<ListInput, ListOutput> {
  return aiTool(defineList(options));
}

/** `find`: paths by a glob. */
export function createFindTool(options: FindToolOptions): Tool<FindInput, FindOutput> {
  return aiTool(defineFind(options));
}

/** `grep`: lines of files. */
export function createGrepTool(options: GrepToolOptions): Tool<GrepInput, GrepOutput> {
  return aiTool(defineGrep(options));
}

/** `write`: a whole file. */
export function createWriteTool(options: WriteToolOptions): Tool<WriteInput, WriteOutput> {
  return aiTool(defineWrite(options));
}

/** `edit`: parts of a file, all or none. */
export function createEditTool(options: EditToolOptions): Tool<EditInput, EditOutput> {
  return aiTool(defineEdit(options));
}

/** `delete`: a file or a directory. */
export function createDeleteTool(options: DeleteToolOptions): Tool<DeleteInput, DeleteOutput> {
  return aiTool(defineDelete(options));
}

/** `exec`: a command, followed as it runs. */
export function createExecTool(options: ExecToolOptions): Tool<ExecInput, ExecToolOutput> {
  return aiTool(defineExec(options));
}

/** `publish`: a link to a file. */
export function createPublishTool(options: PublishToolOptions): Tool<PublishInput, PublishOutput> {
  return aiTool(definePublish(options));
}
