/** The modules of the shell's Worker with every group of commands. */

import curl from "../../shell/curl.ts";
import file from "../../shell/file.ts";
import htmlToMarkdown from "../../shell/html-to-markdown.ts";
import jq from "../../shell/jq.ts";
import xan from "../../shell/xan.ts";
import yq from "../../shell/yq.ts";
import { assembleShellModules, type ShellModuleGroup } from "./modules.ts";

/** The core and all groups, for those who do not choose. */
export const SHELL_RUNTIME_MODULES: ShellModuleGroup = /* @__PURE__ */ assembleShellModules([
  curl,
  file,
  htmlToMarkdown,
  jq,
  xan,
  yq,
]);
