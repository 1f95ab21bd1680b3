/** An input by the schema of a tool, in any of the forms that the AI SDK takes schemas in. */

type Checked = { readonly value: unknown } | { readonly error: string };

interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string }[] | undefined;
}

interface AISchema {
  readonly validate?: ((value: unknown) => PromiseLike<AIResult> | AIResult) | undefined;
}

type AIResult =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error };

export async function checkedInput(name: string, given: unknown, input: unknown): Promise<Checked> {
  // A schema that is made when it is needed; of libraries whose schemas are functions too, those have the standard's property.
  const schema = typeof given === "function" && !("~standard" in given) ? given() : given;
  if (typeof schema !== "object" && typeof schema !== "function") return { value: input };
  if ("~standard" in schema) {
    const { validate } = schema["~standard"] as {
      validate(value: unknown): PromiseLike<StandardResult> | StandardResult;
    };
    const { value, issues } = await validate(input);
    if (issues === undefined) return { value };
    return { error: `${name}: ${issues.map(({ message }) => message).join("; ")}` };
  }
  const result = await (schema as AISchema).validate?.(input);
  if (result === undefined) return { value: input };
  return result.success ? { value: result.value } : { error: `${name}: ${result.error.message}` };
}
