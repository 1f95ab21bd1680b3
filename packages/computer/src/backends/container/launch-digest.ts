/** What tells launch settings apart without keeping them. */

import type { ContainerLaunchSpec } from "./container-api.ts";

/** Equal for settings that ask for the same container, in whatever order. A digest, since an environment may hold secrets. */
export async function launchDigest(spec: ContainerLaunchSpec): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(spec, sorted));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
