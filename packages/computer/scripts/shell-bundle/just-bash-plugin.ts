/** An esbuild plugin that takes just-bash as it is published, with our patches in it. */

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Plugin } from "esbuild";
import { absent, additions, BYTE_STRINGS, builtins, JUST_BASH_VERSION, type Patch, patches } from "./patches.ts";

const BANNER = 'import{createRequire} from"node:module";const require=createRequire(import.meta.url);';
const ENGINE = join(import.meta.dirname, "../../src/shell/engine");

/** `dist` is the folder `dist/bundle` of just-bash. */
export function justBash(dist: string): Plugin {
  const { version } = JSON.parse(readFileSync(join(dist, "../../package.json"), "utf8"));
  if (version !== JUST_BASH_VERSION) {
    throw new Error(
      `The patches are for just-bash ${JUST_BASH_VERSION}, and ${version} is installed: look through them, then raise the version.`,
    );
  }
  return {
    name: "just-bash",
    setup(build) {
      build.onResolve({ filter: /^just-bash$/ }, () => ({ path: join(dist, "index.js"), sideEffects: false }));
      build.onResolve(
        { filter: /^(@mongodb-js\/zstd|node-liblzma|undici|sql\.js|quickjs-emscripten)$/ },
        ({ path }) => ({
          path,
          namespace: "absent",
        }),
      );
      build.onResolve({ filter: /^node:/ }, ({ path, importer }) =>
        builtins[relative(dist, importer)]?.[path] === undefined
          ? undefined
          : { path, namespace: "builtin", pluginData: builtins[relative(dist, importer)]?.[path], sideEffects: false },
      );
      build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ pluginData }) => ({ contents: pluginData }));
      build.onLoad({ filter: /.*/, namespace: "absent" }, ({ path }) => ({ contents: absentModule(path) }));
      build.onLoad({ filter: /just-bash\/dist\/bundle\/.*\.js$/ }, ({ path }) => ({
        contents: contentsOf(relative(dist, path), path),
        resolveDir: dirname(path),
        loader: "js",
      }));
    },
  };
}

function contentsOf(file: string, path: string): string {
  if (absent.includes(file)) return absentModule(file);
  if (file === BYTE_STRINGS.file) {
    const names = Object.entries(BYTE_STRINGS.names).map(([short, name]) => `${name} as ${short}`);
    return `export { ${names.join(", ")} } from ${JSON.stringify(join(ENGINE, "byte-string.ts"))};`;
  }
  const published = readFileSync(path, "utf8");
  if (!published.includes(BANNER)) throw new Error(`just-bash's ${file} does not begin as it did`);
  const wanted = patches.filter((patch) => patch.file === file);
  const code = wanted.reduce(patched, published.replace(BANNER, requireOf(published)));
  if (wanted.length === 0) return code;
  return `import * as $hooks from ${JSON.stringify(join(ENGINE, "hooks.ts"))};\n${code}\n${additions[file] ?? ""}`;
}

/** `require` for the file through which packages inside just-bash ask for modules of Node in the older way; each is loaded when it is asked for. */
function requireOf(code: string): string {
  return code.includes("Dynamic require of")
    ? "const require=(name)=>process.getBuiltinModule(name);"
    : "const require=undefined;";
}

function patched(code: string, { file, find, replace, times = 1 }: Patch): string {
  const pieces = code.split(find);
  if (pieces.length - 1 !== times) {
    throw new Error(
      `A patch of just-bash's ${file} was to fit ${times} time(s) and fits ${pieces.length - 1}: ${find}`,
    );
  }
  return pieces.join(replace);
}

function absentModule(name: string): string {
  return `throw new Error(${JSON.stringify(`${name} is not available in a Worker`)}); export {};`;
}
