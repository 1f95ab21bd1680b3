import { describe } from "vitest";
import { fuseNativeDriver } from "../src/fuse/fuse-native-driver.ts";
import { describeMount } from "./describe-mount.ts";

describe("fuse-native", () => {
  describeMount(fuseNativeDriver, [
    "nanoseconds",
    "rename flags",
    "extended attributes",
    "names of any bytes",
    "owners",
    "files of removed directories",
    "single times",
    "holes",
    "interrupts",
  ]);
});
