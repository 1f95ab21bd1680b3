/** Fills in `WorkerBundle("./directory")` with the files of the directory, when a Worker is built. */

import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin } from "vite";
import { bundleCalls } from "./bundle-calls.ts";
import { fileCode, filesOf, readModuleName, treeCode, treeModule } from "./bundle-modules.ts";

/**
 * The path is relative to the module that calls, or begins with `/` for the root of the project. Links in the directory are left out. The
 * bundle's version is a digest of its files, so that a workspace brings over what a deployment has changed.
 *
 * @example
 * // vite.config.ts
 * export default defineConfig({ plugins: [cloudflare(), computerBundle()] });
 * // worker.ts
 * mounts: { "/workspace/skills": WorkerBundle("./skills") }
 */
export function computerBundle(): Plugin {
  let root = process.cwd();
  return {
    name: "computer-bundle",
    // After those that make JavaScript of it.
    enforce: "post",
    configResolved(config) {
      root = config.root;
    },
    resolveId(name) {
      return readModuleName(name) === undefined ? null : name;
    },
    load(name) {
      const module = readModuleName(name);
      if (module === undefined) return null;
      if (module.kind === "file") {
        this.addWatchFile(module.path);
        return { code: fileCode(module.path), map: null };
      }
      for (const path of ["", ...filesOf(module.path)]) this.addWatchFile(join(module.path, path));
      return { code: treeCode(module.path), map: null };
    },
    transform(code, id) {
      if (!code.includes("WorkerBundle") || id.includes("\0")) return null;
      const calls = bundleCalls(this.parse(code));
      if (calls.length === 0) return null;
      const imports: string[] = [];
      let filled = code;
      for (const { path, start, end } of calls.toReversed()) {
        const directory = path.startsWith("/") ? join(root, path) : resolve(dirname(id.split("?")[0] ?? id), path);
        if (!existsSync(directory) || !statSync(directory).isDirectory()) {
          this.error(`WorkerBundle(${JSON.stringify(path)}): there is no directory ${directory}.`, start);
        }
        const name = `__computerBundle${imports.length}`;
        imports.push(`import ${name} from ${JSON.stringify(treeModule(directory))};`);
        filled = `${filled.slice(0, start)}${name}${filled.slice(end)}`;
      }
      // On the same line, so that all others keep their numbers.
      return { code: `${imports.join(" ")} ${filled}`, map: null };
    },
    hotUpdate({ file, modules }) {
      const trees = [...this.environment.moduleGraph.idToModuleMap.values()].filter(({ id }) => {
        const module = id === null ? undefined : readModuleName(id);
        return module?.kind === "tree" && file.startsWith(`${module.path}/`);
      });
      return trees.length === 0 ? undefined : [...modules, ...trees];
    },
  };
}
