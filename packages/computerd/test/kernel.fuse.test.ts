import { describe } from "vitest";
import { kernelDriver } from "../src/fuse/kernel-driver.ts";
import { describeMount } from "./describe-mount.ts";

describe("the kernel's own protocol", () => {
  describeMount(kernelDriver);
});
