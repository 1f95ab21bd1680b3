/** The shell's `html-to-markdown`, as modules for `commands` of a `WorkerShellBackend`. Made by `scripts/shell-bundle`. */

import modules from "../../out/shell/html-to-markdown.js";

const group: Readonly<Record<string, { js: string }>> = modules;

export default group;
