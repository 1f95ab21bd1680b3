/** The shape of the house: who may import whom, no circles, no overgrown or nameless files. */

import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/** Each package, and the packages of ours that it may import. */
const LAYERS: Record<string, { name: string; imports: string[] }> = {
  dofs: { name: "@cloudflare/dofs", imports: [] },
  rpc: { name: "@cloudflare/computer-rpc", imports: ["dofs"] },
  computer: { name: "@cloudflare/computer", imports: ["rpc", "dofs"] },
  computerd: { name: "@cloudflare/computerd", imports: ["rpc", "dofs"] },
  "document-tools": { name: "@cloudflare/computer-document-tools", imports: [] },
};

/** Parts of dofs that know a platform; all else of it is the core, which knows none. */
const DOFS_PLATFORM_PARTS = ["src/node/", "src/provider/", "src/testing/"];

const MAX_LINES = 400;
/** Sources over the limit, each with the reason why it is one thing. */
const LONG_FILES: Record<string, string> = {};

interface Source {
  readonly path: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  readonly imports: readonly string[];
}

const sources: Source[] = globSync("{packages,examples,bench,scripts,test}/**/*.{ts,mts,js,mjs}", {
  cwd: ROOT,
  exclude: (name) => /(^|\/)(node_modules|dist|out|\.wrangler)$/.test(name),
})
  .sort()
  .map((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    return {
      path,
      text,
      code,
      imports: [...code.matchAll(/(?:^(?:import|export)\b(?:[^;"'=]*?\bfrom)?\s*|\bimport\s*\(\s*)"([^"\n]+)"/gm)].map(
        (match) => match[1]!,
      ),
    };
  });

const published = sources.filter((source) => /^packages\/[^/]+\/src\//.test(source.path));

function packageOf(path: string): string {
  return path.split("/")[1]!;
}

test("packages import downward only, and one another by name", () => {
  const wrong = published.flatMap(({ path, imports }) => {
    const layer = LAYERS[packageOf(path)];
    if (layer === undefined) return [`${path} lies in a package that the table of layers does not name`];
    const allowed = layer.imports.map((below) => LAYERS[below]!.name);
    return imports.flatMap((to) => {
      const ours = Object.values(LAYERS).find(({ name }) => to === name || to.startsWith(`${name}/`));
      if (ours && !allowed.includes(ours.name)) return [`${path} imports ${to}`];
      const target = relative(ROOT, join(ROOT, dirname(path), to));
      return to.startsWith(".") && !target.startsWith(`packages/${packageOf(path)}/`)
        ? [`${path} reaches out to ${to}`]
        : [];
    });
  });
  expect(wrong).toEqual([]);
});

test("packages depend on the packages below them only", () => {
  const wrong = Object.entries(LAYERS).flatMap(([folder, layer]) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, "packages", folder, "package.json"), "utf8"));
    expect(manifest.name).toBe(layer.name);
    const allowed = layer.imports.map((below) => LAYERS[below]!.name);
    const ours = Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    });
    return ours
      .filter((name) => Object.values(LAYERS).some((other) => other.name === name) && !allowed.includes(name))
      .map((name) => `${folder} depends on ${name}`);
  });
  expect(wrong).toEqual([]);
});

test("no file imports itself through others", () => {
  const graph = new Map(
    published.map(({ path, imports }) => [
      path,
      imports.filter((to) => to.startsWith(".")).map((to) => relative(ROOT, join(ROOT, dirname(path), to))),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (path: string, trail: string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (trail.includes(path) || done.has(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  expect(circles).toEqual([]);
});

test("the core of dofs knows no platform", () => {
  const wrong = published
    .filter(({ path }) => path.startsWith("packages/dofs/"))
    .filter(({ path }) => !DOFS_PLATFORM_PARTS.some((part) => path.startsWith(`packages/dofs/${part}`)))
    .flatMap(({ path, imports }) =>
      imports.filter((to) => /^(node|cloudflare):/.test(to)).map((to) => `${path}: ${to}`),
    );
  expect(wrong).toEqual([]);
});

test("examples and benches use packages by name, as a user would", () => {
  const wrong = sources
    .filter(({ path }) => /^(examples|bench)\//.test(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter((to) => to.startsWith(".") && relative(ROOT, join(ROOT, dirname(path), to)).startsWith("packages/"))
        .map((to) => `${path} imports ${to}`),
    );
  expect(wrong).toEqual([]);
});

test("files are named for one thing and stay small enough to be it", () => {
  const nameless = sources.filter(({ path }) => /(^|[/.-])(utils?|helpers?|common|misc)([./-]|$)/i.test(path));
  const shouting = published.filter(({ path }) => /[A-Z_ ]/.test(path));
  const long = published.filter(({ path, text }) => text.split("\n").length > MAX_LINES && !(path in LONG_FILES));
  expect([...nameless, ...shouting, ...long].map(({ path }) => path)).toEqual([]);
});

test("no published source casts through unknown", () => {
  const shipped = published.filter(({ path }) => !path.includes("/src/testing/"));
  expect(shipped.filter(({ code }) => /\bas unknown as\b/.test(code)).map(({ path }) => path)).toEqual([]);
});

test("the sources that are judged here are really found", () => {
  for (const folder of Object.keys(LAYERS)) {
    expect(published.filter(({ path }) => path.startsWith(`packages/${folder}/`)).length).toBeGreaterThan(0);
  }
});
