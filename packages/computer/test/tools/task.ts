/** A task for an agent that takes every tool: look around, write and mend a program, run it, publish what it made, tidy up. */

export interface Step {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the agent reads of the answer; without it the task is not done. */
  readonly expects: RegExp;
}

const SCRIPT = `#!/bin/sh
# Sums a column.
total=0
while IFS=, read -r name count; do
  total=$((total + name))
done < orders.csv
echo "total: $total" | tee report.txt
`;

export const ORDERS = "tea,2\ncoffee,5\n";

export const STEPS: readonly Step[] = [
  { tool: "ls", input: { path: "/workspace" }, expects: /orders\.csv/ },
  { tool: "read", input: { path: "/workspace/orders.csv" }, expects: /coffee,5/ },
  { tool: "write", input: { path: "/workspace/sum.sh", content: SCRIPT }, expects: /Made \/workspace\/sum\.sh/ },
  {
    tool: "grep",
    input: { query: "total +", include: "*.sh" },
    expects: /sum\.sh:5: {3}total=\$\(\(total \+ name\)\)/,
  },
  {
    tool: "edit",
    input: { path: "/workspace/sum.sh", edits: [{ oldText: "(total + name)", newText: "(total + count)" }] },
    expects: /first on line 5[\s\S]*\+ {2}total=\$\(\(total \+ count\)\)/,
  },
  { tool: "exec", input: { command: "sh sum.sh", cwd: "/workspace" }, expects: /total: 7/ },
  { tool: "find", input: { pattern: "*.txt" }, expects: /\/workspace\/report\.txt/ },
  { tool: "publish", input: { path: "/workspace/report.txt" }, expects: /(https?:\S+)/ },
  { tool: "delete", input: { path: "/workspace/sum.sh" }, expects: /Deleted \/workspace\/sum\.sh/ },
];
