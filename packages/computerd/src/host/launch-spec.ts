/** What a caller may ask of a computer when it starts one. */

import { z } from "zod";
import { HostError } from "./host-error.ts";

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

const Spec = z.strictObject({
  env: z.record(z.string().regex(/^[^=\0]+$/), z.string().regex(/^[^\0]*$/)).default({}),
  enableInternet: z.boolean().default(false),
  name: z.string().max(256).optional(),
  egress: z.strictObject({ mode: z.literal("http-gateway"), revision: z.string().max(256).optional() }).optional(),
});
const Inactivity = z.strictObject({
  ms: z
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1),
});

export interface LaunchSpec {
  readonly env: Readonly<Record<string, string>>;
  /** Whether commands have the machine's network. */
  readonly enableInternet: boolean;
  /** Commands have no network, and a proxy to the workspace's gateway. */
  readonly egress?: { readonly mode: "http-gateway"; readonly revision?: string | undefined } | undefined;
}

/** The body of a start or a restart; nothing at all is a spec of defaults. */
export function readLaunchSpec(body: unknown): LaunchSpec {
  const { env, enableInternet, egress } = check(Spec, body ?? {}, "a launch spec");
  if (enableInternet && egress !== undefined) {
    throw new HostError("EINVAL", "egress is for a computer without a network: leave out enableInternet");
  }
  return { env, enableInternet, ...(egress && { egress }) };
}

/** The milliseconds without activity after which a computer is stopped. */
export function readInactivity(body: unknown): number {
  return check(Inactivity, body, "an inactivity timeout { ms }").ms;
}

/** A computer's id out of a path segment, as it was sent. */
export function readComputerId(segment: string): string {
  if (!ID.test(segment)) {
    throw new HostError(
      "EINVAL",
      "a computer's id has 1 to 128 of A-Z a-z 0-9 . _ - and begins with a letter or digit",
    );
  }
  return segment;
}

/** Whether two specs ask for the same computer, in whatever order. */
export function sameSpec(a: LaunchSpec, b: LaunchSpec): boolean {
  const canonical = ({ env, enableInternet, egress }: LaunchSpec) =>
    JSON.stringify([
      enableInternet,
      egress?.mode,
      egress?.revision,
      Object.entries(env).sort(([x], [y]) => (x < y ? -1 : 1)),
    ]);
  return canonical(a) === canonical(b);
}

function check<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new HostError("EINVAL", `this is not ${what}: ${z.prettifyError(result.error)}`);
}
