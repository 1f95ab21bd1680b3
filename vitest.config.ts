/** Hands vitest the projects of `vitest.workspace.ts`, a name it does not read by itself. */

import { defineConfig, type ViteUserConfig } from "vitest/config";
import projects from "./vitest.workspace.ts";

const config: ViteUserConfig = defineConfig({ test: { projects } });

export default config;
