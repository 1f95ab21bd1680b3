/** Everything that a script imports, found and read before it runs: the modules of an isolate. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { BASE, IMPORTABLE } from "./isolate/index.ts";
import { COMPUTED, META, type ModuleText, readModule, rewritten } from "./module-text.ts";
import { ImportError, type Importer, ImportResolver, type ImportTarget } from "./resolve-import.ts";
import type { SourceFiles } from "./source-files.ts";

/** Names of the globals that Node adds or changes, and of those that all of them can be reached by. */
const NODE_GLOBALS =
  /\b(Buffer|clear(Immediate|Interval|Timeout)|console|global|globalThis|process|queueMicrotask|self|set(Immediate|Interval|Timeout))\b/;

/** The folder of the runtime's own modules; no file of a workspace is imported under this name. */
const OWN = "~computer";
const BUNDLE = "file:///bundle/";

/** What a configured module is: its text, or the names of the functions behind it. */
export type ConfiguredModule =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "functions"; readonly names: readonly string[] };

export interface ModuleGraphOptions {
  readonly source: string;
  /** Where the script's relative imports start. */
  readonly cwd: string;
  readonly root: string;
  readonly files: SourceFiles;
  readonly configured: ReadonlyMap<string, ConfiguredModule>;
  readonly maxSourceBytes: number;
}

export interface ModuleGraph {
  readonly mainModule: string;
  readonly modules: Readonly<Record<string, { js: string }>>;
  /** The script's own module. */
  readonly entry: string;
  /** Whether anything in it could ask for what Node has: an isolate without that starts in three quarters of the time. */
  readonly node: boolean;
}

/**
 * Reads a script and all it imports, in one go over the files as they are now. `ImportError` for an import that leads nowhere, naming the
 * importer; `EOPTION` where all together is too long.
 */
export function moduleGraph(options: ModuleGraphOptions): ModuleGraph {
  return new GraphBuilder(options).build();
}

interface Waiting {
  readonly name: string;
  readonly text: ModuleText;
  readonly importer: Importer;
  /** The path it has for itself, in `import.meta`. */
  readonly path: string;
}

class GraphBuilder {
  readonly #options: ModuleGraphOptions;
  readonly #resolver: ImportResolver;
  readonly #modules: Record<string, { js: string }> = {};
  readonly #named = new Map<string, string>();
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #node = false;

  constructor(options: ModuleGraphOptions) {
    this.#options = options;
    this.#resolver = new ImportResolver({
      files: options.files,
      root: options.root,
      configured: new Set(options.configured.keys()),
    });
  }

  build(): ModuleGraph {
    const { source, cwd } = this.#options;
    this.#own(BASE);
    const path = `${cwd === "/" ? "" : cwd}/<script>`;
    const name = nameOf(path);
    this.#await({ name, path, text: readModule(source, "script"), importer: { name: "the script", directory: cwd } });
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) this.#add(next);
    return { mainModule: `${OWN}/main.js`, modules: this.#modules, entry: BUNDLE + name, node: this.#node };
  }

  #await(module: Waiting): void {
    this.#bytes += module.text.sourceBytes;
    this.#node ||= NODE_GLOBALS.test(module.text.text);
    if (this.#bytes > this.#options.maxSourceBytes) {
      throw new ImportError(
        `The script and what it imports are longer than ${this.#options.maxSourceBytes} bytes (maxSourceBytes), with ${module.importer.name}.`,
      );
    }
    this.#waiting.push(module);
  }

  /** Each module begins behind a gate of its own: past it, and only past it, a module may ask for things in its body too. */
  #add({ name, text, importer, path }: Waiting): void {
    const gate = `${OWN}/gate/${Object.keys(this.#modules).length}.js`;
    const body = rewritten(text, (specifier) => this.#url(this.#resolver.resolve(specifier, importer), importer));
    this.#modules[gate] = { js: gateOf(path) };
    // What is wrong with such a text is found by the isolate first; if it finds nothing, this import leads nowhere.
    const unread = text.read ? "" : `import${JSON.stringify(`${BUNDLE}${OWN}/imports-that-cannot-be-read`)};`;
    // At its end, so that the lines and columns of errors are the script's own.
    this.#modules[name] = {
      js: `${body}\nimport{meta as ${META},computed as ${COMPUTED}}from${JSON.stringify(BUNDLE + gate)};${unread}`,
    };
  }

  #url(target: ImportTarget, importer: Importer): string {
    if (target.kind === "runtime" || target.kind === "own") this.#node = true;
    if (target.kind === "runtime") return target.url;
    if (target.kind === "own") {
      this.#own(IMPORTABLE[target.file] ?? {});
      return `${BUNDLE}${OWN}/${target.file}`;
    }
    const key = target.kind === "file" ? target.path : `configured ${target.name}`;
    let name = this.#named.get(key);
    if (name === undefined) {
      name = target.kind === "file" ? nameOf(target.path) : `${OWN}/modules/${this.#named.size}.js`;
      this.#named.set(key, name);
      if (target.kind === "file") this.#file(target.path, target.inPackage, name, importer);
      else this.#configured(target.name, name);
    }
    return BUNDLE + name;
  }

  #file(path: string, inPackage: boolean, name: string, importer: Importer): void {
    const { files } = this.#options;
    const refuse = (why: string): ImportError => ImportError.of(path, importer, why);
    if (path.startsWith(`/${OWN}/`)) throw refuse(`${OWN} is the name of the runtime's own modules.`);
    if (this.#bytes + files.size(path) > this.#options.maxSourceBytes) {
      throw refuse(`with it the script is longer than ${this.#options.maxSourceBytes} bytes (maxSourceBytes).`);
    }
    const text = readable(() => files.module(path), refuse);
    if (text === undefined) throw refuse("it is no module: those end in .js, .mjs, .ts, .mts or .json.");
    if (inPackage && !text.esm && /\b(module\.exports|exports\.\w+|require\s*\()/.test(text.text)) {
      throw refuse("it is a CommonJS module; only ES modules run here.");
    }
    this.#await({ name, path, text, importer: { name: path, directory: path.slice(0, path.lastIndexOf("/")) || "/" } });
  }

  #configured(specifier: string, name: string): void {
    const module = this.#options.configured.get(specifier);
    if (module === undefined) throw new ComputerError("EOPTION", `There is no module ${specifier}.`);
    if (module.kind === "functions") this.#modules[name] = { js: functionsModule(specifier, module.names) };
    else {
      const importer = { name: `the module ${specifier}`, directory: undefined };
      this.#await({ name, path: `/${name}`, text: readModule(module.text, "script"), importer });
    }
  }

  #own(sources: Readonly<Record<string, string>>): void {
    for (const [file, js] of Object.entries(sources)) this.#modules[`${OWN}/${file}`] = { js };
  }
}

/** A file's name in the isolate: its path as a URL has it. */
function nameOf(path: string): string {
  return encodeURI(path.slice(1)).replaceAll("?", "%3F").replaceAll("#", "%23");
}

/** A module that gives way once, before the body behind it: the isolate is then at work for the run, and no longer starting. */
function gateOf(path: string): string {
  const url = JSON.stringify(`file:///${nameOf(path)}`);
  const filename = JSON.stringify(path);
  const dirname = JSON.stringify(path.slice(0, path.lastIndexOf("/")) || "/");
  return `import{begin}from${JSON.stringify(`${BUNDLE}${OWN}/link.js`)};
await null;
begin();
export const meta={url:${url},filename:${filename},dirname:${dirname},resolve:(to)=>new URL(to,${url}).href};
export const computed=async(to)=>{throw new TypeError("Cannot import "+JSON.stringify(String(to))+" from "+${filename}+": what is imported must be a literal, so that it can be found before the script runs.")};`;
}

/** A module of the host's functions, as the isolate sees it. */
function functionsModule(specifier: string, names: readonly string[]): string {
  const module = JSON.stringify(specifier);
  const lines = names.map(
    (name, at) =>
      `const f${at}=(...args)=>callModule(${module},${JSON.stringify(name)},args);export{f${at} as ${JSON.stringify(name)}};`,
  );
  const all = names.map((name, at) => `${JSON.stringify(name)}:f${at}`).join(",");
  const whole = names.includes("default") ? "" : `export default{${all}};`;
  return `import{callModule}from${JSON.stringify(`${BUNDLE}${OWN}/link.js`)};${lines.join("\n")}\n${whole}`;
}

function readable(read: () => ModuleText | undefined, refuse: (why: string) => ImportError): ModuleText | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "loc" in error)) throw refuse(error.message);
    throw error;
  }
}
