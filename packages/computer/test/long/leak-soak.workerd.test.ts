import { test } from "vitest";
import { soak, soakSession } from "../leak-soak.ts";

test("10,000 runs and clients over Workers RPC leave the count of live objects as it was", {
  timeout: 600_000,
}, async () => {
  await soak(10_000);
});

test("R-03 100,000 small calls and 500 MiB over one session leave the count as it was", {
  timeout: 600_000,
}, async () => {
  await soakSession(100_000, 500);
});
