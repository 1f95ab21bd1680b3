/** The project that the scripted model writes, a file by its path. */

const PACKAGE = `{
  "name": "roman",
  "private": true,
  "type": "module",
  "scripts": { "dev": "wrangler dev", "deploy": "wrangler deploy", "test": "node --test" }
}
`;

const WRANGLER = `{
  "name": "roman",
  "main": "src/worker.ts",
  "compatibility_date": "2026-10-01"
}
`;

const TSCONFIG = `{
  "compilerOptions": {
    "target": "ESNext",
    "module": "ESNext",
    "moduleResolution": "bundler",
    "lib": ["ESNext", "WebWorker"],
    "types": [],
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true
  },
  "include": ["src"]
}
`;

const README = `# Roman numerals

\`\`\`sh
npx wrangler dev
curl localhost:8787/1994    # MCMXCIV
\`\`\`

A Worker that an agent wrote, tested and built in a computer of its own.
`;

const ROMAN = `const NUMERALS: [string, number][] = [
  ["M", 1000], ["CM", 900], ["D", 500], ["CD", 400], ["C", 100], ["XC", 90],
  ["L", 50], ["XL", 40], ["X", 10], ["IX", 9], ["V", 5], ["IV", 4], ["I", 1],
];

/** Of a whole number from 1 to 3999. */
export function roman(number: number): string {
  let text = "";
  let rest = number;
  for (const [numeral, value] of NUMERALS) {
    while (value > rest) {
      text += numeral;
      rest -= value;
    }
    if (text.length > 20) throw new Error(\`\${number} has no end\`);
  }
  return text;
}
`;

const WORKER = `import { roman } from "./roman.ts";

export default {
  fetch(request: Request): Response {
    const number = Number(new URL(request.url).pathname.slice(1));
    if (!Number.isInteger(number) || number < 1 || number > 3999) {
      return new Response("Ask for a number from 1 to 3999, such as /1994.\\n", { status: 400 });
    }
    return new Response(\`\${roman(number)}\\n\`);
  },
};
`;

const TEST = `import assert from "node:assert";
import test from "node:test";
import { roman } from "../src/roman.ts";

test("numbers are written as the Romans did", () => {
  assert.strictEqual(roman(1994), "MCMXCIV");
  assert.strictEqual(roman(3999), "MMMCMXCIX");
});
`;

export const PROJECT_FILES: Readonly<Record<string, string>> = {
  "package.json": PACKAGE,
  "wrangler.jsonc": WRANGLER,
  "tsconfig.json": TSCONFIG,
  ".gitignore": "dist/\nnode_modules/\n.wrangler/\n",
  "README.md": README,
  "src/roman.ts": ROMAN,
  "src/worker.ts": WORKER,
  "test/roman.test.ts": TEST,
};
