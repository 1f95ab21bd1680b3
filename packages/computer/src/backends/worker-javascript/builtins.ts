/** The built-in modules of Node that a script may import. */

/** Those that do nothing outside of the isolate; the runtime's own. */
const PURE = new Set(
  `assert assert/strict async_hooks buffer console constants crypto diagnostics_channel events os path path/posix path/win32 perf_hooks
  punycode querystring stream stream/consumers stream/promises stream/web string_decoder timers timers/promises url util util/types zlib`.split(
    /\s+/,
  ),
);

/** Those that work over the workspace, by their files in the isolate. */
const OURS: Readonly<Record<string, string>> = {
  fs: "fs.js",
  "fs/promises": "fs-promises.js",
  process: "process.js",
};

const OTHERS =
  /^(child_process|cluster|dgram|dns|dns\/promises|domain|http|http2|https|inspector|module|net|readline|readline\/promises|repl|sqlite|sys|test|tls|trace_events|tty|v8|vm|wasi|worker_threads)$/;

/** `own` is a file of the isolate, `pure` the runtime's own, `refused` a module of Node's that is not there. */
export type Builtin =
  | { readonly kind: "own"; readonly file: string }
  | { readonly kind: "pure"; readonly url: string }
  | { readonly kind: "refused" };

/** What a specifier, with or without `node:`, names of Node's modules; undefined for none of them. */
export function builtinOf(specifier: string): Builtin | undefined {
  const prefixed = specifier.startsWith("node:");
  const name = prefixed ? specifier.slice(5) : specifier;
  const file = Object.hasOwn(OURS, name) ? OURS[name] : undefined;
  if (file !== undefined) return { kind: "own", file };
  if (PURE.has(name)) return { kind: "pure", url: `node:${name}` };
  return prefixed || OTHERS.test(name) ? { kind: "refused" } : undefined;
}
