import { expect, test } from "vitest";
import { chooseDriver } from "../src/fuse/choose-driver.ts";

test("Linux mounts with the kernel's own protocol, other machines with fuse-native, and each with what is asked for", async () => {
  const chosen = async (...args: Parameters<typeof chooseDriver>) => (await chooseDriver(...args)).name;
  expect(await chosen(undefined, "linux")).toBe("kernel");
  expect(await chosen(undefined, "darwin")).toBe("fuse-native");
  expect(await chosen("fuse-native", "linux")).toBe("fuse-native");
  expect(await chosen("kernel", "darwin")).toBe("kernel");
});
