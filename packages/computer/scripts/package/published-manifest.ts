/** The manifest of the published package, made of those of the packages that are bundled into it. */

/** What is used of a `package.json` of ours. */
export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
}

export interface PublishedManifest extends Omit<SourceManifest, "exports"> {
  readonly type: "module";
  readonly sideEffects: false;
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string } | string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** An entry point: its name in `dist`, without an ending, and its source. */
export interface Entry {
  readonly name: string;
  readonly file: string;
}

/** Throws where two of the packages want one dependency in two versions. */
export function publishedManifest(
  source: SourceManifest,
  below: readonly SourceManifest[],
): { readonly manifest: PublishedManifest; readonly entries: readonly Entry[] } {
  const { name, version, description, license, peerDependencies = {}, peerDependenciesMeta = {} } = source;
  const dependencies: Record<string, string> = {};
  const wanted = [source, ...below].flatMap((manifest) => Object.entries(manifest.dependencies ?? {}));
  for (const [dependency, range] of wanted.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (below.some((bundled) => bundled.name === dependency)) continue;
    const other = dependencies[dependency];
    if (other !== undefined && other !== range) throw new Error(`${dependency} is wanted as ${other} and as ${range}`);
    dependencies[dependency] = range;
  }
  const entries = Object.entries(source.exports).map(([path, file]) => ({
    path,
    file,
    name: path === "." ? "index" : path.slice(2),
  }));
  const exports = Object.fromEntries(
    entries.map((entry) => [entry.path, { types: `./${entry.name}.d.ts`, default: `./${entry.name}.js` }]),
  );
  const manifest: PublishedManifest = {
    name,
    version,
    description,
    license,
    type: "module",
    sideEffects: false,
    exports: { ...exports, "./package.json": "./package.json" },
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
  };
  return { manifest, entries };
}
