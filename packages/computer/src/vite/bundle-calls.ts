/** The calls of `WorkerBundle` with a path, in the parsed source of a module. */

/** A node of an ESTree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The path that one call is given, and where it stands. */
export interface BundleCall {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

const PACKAGE = "@cloudflare/computer";
const NAME = "WorkerBundle";

/** In the order of the source. Only calls of what is imported from the package count, under whatever name. */
export function bundleCalls(program: object): BundleCall[] {
  const names = new Set<string>();
  const namespaces = new Set<string>();
  visit(program, (node) => {
    if (node.type !== "ImportDeclaration" || !isNode(node.source) || node.source.value !== PACKAGE) return;
    for (const specifier of nodesOf(node.specifiers)) {
      const local = nameOf(specifier.local);
      if (specifier.type === "ImportNamespaceSpecifier") namespaces.add(local);
      else if (specifier.type === "ImportSpecifier" && nameOf(specifier.imported) === NAME) names.add(local);
    }
  });
  const calls: BundleCall[] = [];
  if (names.size + namespaces.size === 0) return calls;
  visit(program, (node) => {
    if (node.type !== "CallExpression" || !isNode(node.callee)) return;
    const { callee } = node;
    const isOurs =
      (callee.type === "Identifier" && names.has(nameOf(callee))) ||
      (callee.type === "MemberExpression" && namespaces.has(nameOf(callee.object)) && nameOf(callee.property) === NAME);
    const first = nodesOf(node.arguments)[0];
    if (!isOurs || first === undefined) return;
    const path = textOf(first);
    if (path !== undefined) calls.push({ path, start: first.start, end: first.end });
  });
  return calls.sort((a, b) => a.start - b.start);
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, see);
  else if (isNode(value)) {
    see(value);
    for (const child of Object.values(value)) visit(child, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function nodesOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function nameOf(value: unknown): string {
  return isNode(value) ? String(value.name ?? value.value) : "";
}

/** The text of a literal, or of a template without anything put in. */
function textOf(node: Node): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type !== "TemplateLiteral" || nodesOf(node.expressions).length > 0) return undefined;
  const value = nodesOf(node.quasis)[0]?.value;
  return typeof value === "object" && value !== null && "cooked" in value ? String(value.cooked) : undefined;
}
