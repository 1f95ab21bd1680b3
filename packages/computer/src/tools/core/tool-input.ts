/** What a tool takes from a model: an object by a schema, its near misses put right, and for anything else an object that says so. */

import { z } from "zod";

/** How a tool's input is described. */
export interface InputOptions<Input> {
  /** The tool's name. */
  readonly tool: string;
  readonly fields: z.ZodObject & z.ZodType<Input>;
  /** A call as it should be, for messages. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The field that a bare string is taken for. */
  readonly bare?: string | undefined;
  /** Other names that models give to fields. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** What else is known of how models miss; gets an object and gives one. */
  readonly reshape?: ((fields: Fields) => Fields) | undefined;
}

export interface ToolInput<Input> {
  readonly inputSchema: z.ZodType<Input, unknown>;
  prepareArguments(args: unknown): unknown;
  /** What to answer to an input that was none; undefined for one that can be used. */
  refusal(input: Input): string | undefined;
}

type Fields = Record<string, unknown>;

/** The field of what stands for an input that was no object. History must never hold a raw string: providers refuse it. */
const MALFORMED = "malformed";
const QUOTED_MAX = 200;
/** Each round puts right what the one before uncovered: a list in a string, then a number in the list. */
const ROUNDS = 4;

export function toolInput<Input>(options: InputOptions<Input>): ToolInput<Input> {
  const { fields, tool, example } = options;
  const prepareArguments = (args: unknown): unknown => prepare(args, options);
  const inputSchema = z.unknown().transform((args, context): Input => {
    const prepared = prepare(args, options);
    if (MALFORMED in prepared) return prepared as Input;
    const parsed = fields.safeParse(prepared);
    if (parsed.success) return parsed.data;
    context.issues.push({ code: "custom", message: told(parsed.error, options), input: args });
    return z.NEVER;
  });
  // A model must be told the fields, not that anything goes.
  inputSchema._zod.toJSONSchema = () => z.toJSONSchema(fields, { io: "input" });
  return {
    inputSchema,
    prepareArguments,
    refusal: (input) => {
      const malformed = malformedText(input);
      if (malformed === undefined) return undefined;
      return `${tool} takes a JSON object such as ${JSON.stringify(example)}. What came is no JSON object: ${malformed}`;
    },
  };
}

function malformedText(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !(MALFORMED in input)) return undefined;
  return typeof input.malformed === "string" ? input.malformed : undefined;
}

function prepare<Input>(args: unknown, options: InputOptions<Input>): Fields {
  const object = asFields(args, options);
  if (MALFORMED in object) return object;
  const renamed = Object.entries(object).map(([name, value]): [string, unknown] => {
    const known = options.aliases?.[name];
    return known === undefined || name in options.fields.shape || known in object ? [name, value] : [known, value];
  });
  const reshaped = Object.fromEntries(renamed);
  return repaired(options.reshape?.(reshaped) ?? reshaped, options.fields);
}

function asFields<Input>(args: unknown, { bare }: InputOptions<Input>): Fields {
  if (args === undefined || args === null) return {};
  if (isFields(args)) return args;
  if (typeof args !== "string") return { [MALFORMED]: quoted(JSON.stringify(args) ?? String(args)) };
  const value = parsedJson(args);
  if (isFields(value)) return value;
  if (Array.isArray(value)) return { [MALFORMED]: quoted(args) };
  const plain = typeof value === "string" ? value : args;
  const brokenJson = /^\s*[{[]\s*["{[\]}]/.test(plain);
  return bare === undefined || brokenJson || plain.trim() === "" ? { [MALFORMED]: quoted(plain) } : { [bare]: plain };
}

/** What a text is as JSON, twice stringified too; undefined where it is none. */
function parsedJson(source: string): unknown {
  let value: unknown = source;
  for (let round = 0; round < ROUNDS && typeof value === "string"; round++) {
    try {
      value = JSON.parse(value);
    } catch {
      return round === 0 ? undefined : value;
    }
  }
  return value;
}

/** Puts right what the schema complains of, where it is plain what was meant. */
function repaired(fields: Fields, schema: z.ZodObject): Fields {
  if (schema.safeParse(fields).success) return fields;
  const value = structuredClone(fields);
  for (let round = 0; round < ROUNDS; round++) {
    const issues = schema.safeParse(value).error?.issues ?? [];
    if (!issues.map((issue) => repair(value, issue)).includes(true)) break;
  }
  return value;
}

function repair(root: Fields, issue: z.core.$ZodIssue): boolean {
  const key = issue.path.at(-1);
  const holder = issue.path.slice(0, -1).reduce<unknown>((at, step) => (isHolder(at) ? at[step] : undefined), root);
  if (key === undefined || !isHolder(holder)) return false;
  const value = holder[key];
  // Where every field must be given, models send null for those they leave out.
  if (value === null) return delete holder[key];
  const right = meant(value, issue);
  if (right === undefined) return false;
  holder[key] = right;
  return true;
}

function meant(value: unknown, issue: z.core.$ZodIssue): unknown {
  if (issue.code === "too_big" && typeof value === "number") return issue.maximum;
  if (issue.code !== "invalid_type" || value === undefined) return undefined;
  const parsed = typeof value === "string" ? parsedJson(value) : undefined;
  switch (issue.expected) {
    case "number":
    case "int":
    case "boolean":
      return typeof parsed === (issue.expected === "boolean" ? "boolean" : "number") ? parsed : undefined;
    case "array":
      return Array.isArray(parsed) ? parsed : isFields(parsed) ? [parsed] : isFields(value) ? [value] : undefined;
    case "object":
    case "record":
      return isFields(parsed) ? parsed : undefined;
    case "string":
      return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
    default:
      return undefined;
  }
}

function told<Input>(error: z.ZodError, { tool, fields, example }: InputOptions<Input>): string {
  const issues = error.issues.map(({ path, message }) => `${path.join(".") || "the input"}: ${message}`).join("; ");
  return `${tool} takes ${Object.keys(fields.shape).join(", ")}. Wrong here: ${issues}. Send for example ${JSON.stringify(example)}.`;
}

function quoted(source: string): string {
  return source.length <= QUOTED_MAX ? source : `${source.slice(0, QUOTED_MAX)}…`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isHolder(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}
