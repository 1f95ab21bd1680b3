import { test } from "vitest";
import { soak } from "../leak-soak.ts";

test("10,000 runs and clients over Workers RPC leave the count of live objects as it was", {
  timeout: 600_000,
}, async () => {
  await soak(10_000);
});
