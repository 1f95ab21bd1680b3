import { expect, test } from "vitest";
import { readDocument, withTable } from "./shell-differential/support-table.ts";

test("the table of what the shell supports is that of the suite", () => {
  expect(readDocument()).toBe(withTable(readDocument()));
});
