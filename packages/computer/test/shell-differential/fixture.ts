/** The files that every script of the suite finds in its directory. */

export const fixture: Readonly<Record<string, string | Uint8Array>> = {
  fruit: "apple 3 red\nbanana 12 yellow\ncherry 7 red\ndate 1 brown\n",
  abc: "b\na\nc\na\n",
  nums: "1\n2\n10\n3\n",
  "t.csv": "id,name,qty\n1,ann,3\n2,bob,5\n",
  tabs: "tab\tsep\tline\n",
  utf: "東京—é\n",
  raw: Uint8Array.of(0xff, 0x00, 0x80, 0xfe),
  "d/one.txt": "x\nhello\n",
  "d/sub/two.txt": "hello world\nHELLO\n",
  "d/a.ts": "const a = 1;\n",
};
