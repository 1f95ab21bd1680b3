/** What a command has said so far, and what is told of how it ended. */

import type { TruncatedOutput } from "../../runtime/event.ts";
import { type OutputLimits, Tail } from "../../runtime/tail.ts";
import { type ToolContent, text } from "./definition.ts";
import type { ExecToolOutput } from "./exec-types.ts";

/** What a command has said on one of its outputs: all of it, or its end where that is over the limits. */
export class KeptOutput {
  readonly #tail: Tail;

  constructor(limits: OutputLimits) {
    this.#tail = new Tail(limits);
  }

  add(piece: string): void {
    this.#tail.push(new TextEncoder().encode(piece));
  }

  get text(): string {
    return new TextDecoder().decode(this.#tail.view().bytes);
  }

  /** Its last `max` units, from a whole character on. */
  end(max: number): string {
    const { text } = this;
    const end = text.slice(Math.max(text.length - max, 0));
    return /^[\udc00-\udfff]/.test(end) ? end.slice(1) : end;
  }

  /** Which part was kept, where the workspace does not say. */
  get cut(): TruncatedOutput | undefined {
    if (!this.#tail.exceeded) return undefined;
    const { totalBytes, totalLines, firstLine, partialLine } = this.#tail.view();
    return {
      status: "not-saved",
      reason: "the workspace saves no outputs",
      totalBytes,
      totalLines,
      firstLine,
      partialLine,
    };
  }
}

/** What a model is told of a command. */
export function describeExec(output: ExecToolOutput): readonly ToolContent[] {
  if ("error" in output) return text(output.error);
  const { exitCode, stdout, stderr, result, truncated } = output;
  const parts = [
    exitCode === null ? "[The command is running.]" : exitCode === 0 ? "" : `[Exit code ${exitCode}]`,
    result === undefined ? "" : `[Result] ${JSON.stringify(result)}`,
    told("stdout", stdout, truncated?.stdout),
    told("stderr", stderr, truncated?.stderr),
  ].filter((part) => part !== "");
  return text(parts.length === 0 ? "[Exit code 0, no output.]" : parts.join("\n"));
}

function told(name: "stdout" | "stderr", content: string, cut: TruncatedOutput | undefined): string {
  if (content === "" && cut === undefined) return "";
  const head = name === "stderr" ? "[stderr]\n" : "";
  if (cut === undefined) return `${head}${content}`;
  const where = cut.status === "saved" ? `all of it is in ${cut.path}` : `the rest was not kept: ${cut.reason}`;
  return `[${name} from line ${cut.firstLine} of ${cut.totalLines}, ${cut.totalBytes} bytes in all; ${where}.]\n${head}${content}`;
}
