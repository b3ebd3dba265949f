import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNode, isPair } from "yaml";
import { parseYaml } from "./parse-yaml";
import { readPlainYaml } from "./plain-yaml";

/** A node as plain data; of spaces before it nothing is kept. */
function show(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(show);
  if (!isNode(node) && !isPair(node)) return node;
  const fields = Object.entries(node).filter(([key]) => key !== "schema" && key !== "spaceBefore");
  return { class: node.constructor.name, ...Object.fromEntries(fields.map(([key, value]) => [key, show(value)])) };
}

/** Fails when the text is read as something else than the library reads; answers whether it was read. */
function agrees(text: string): boolean {
  const found = readPlainYaml(text);
  if (!found) return false;
  const { contents, errors } = parseYaml(text);
  expect(errors, text).toEqual([]);
  expect(show(found), text).toEqual(show(contents));
  return true;
}

const written = [
  "  a1:\n    model: demo:writer\n    tools: [calculator, b]\n    max_steps: 4\n    temperature: 0.5\n",
  '  g: { type: serial, flow: "a >> b" }\n',
  "  g: {type: serial, flow: 'a'}",
  "name: My flow\n\n",
  "  a:\n    instructions: |\n      # Title\n\n        indented \n      last\n\n\n    model: x\n",
  "  a:\n    instructions: >-\n      Hello there\n      you\n\n\n      more\n",
  '  a:\n\n    description: "it: is # this"\n    model:   spaced\n',
  "vars:\n  deep:\n    deeper: word\n  back: -12\n",
];

describe("plain YAML", () => {
  it.each(written)("is read as the library reads it: %j", (text) => {
    expect(agrees(text)).toBe(true);
  });

  it.each([
    ..."a: b # c|a: true|a: 1.50|a: 0x1|a: 'it''s'|a: \"\\n\"|a: *x|a: &x y|a: !t y|a: - b|a: b: c|a: b\n  c|? a".split(
      "|",
    ),
    ..."a:|a: b\n c: d|a: [b, [c]]|a: {b: {c: d}}|a: [b|---\na: b|a: b\n...|a: |+\n  b\n|\ta: b|a: b\r\n".split("|"),
    "a: |\n b",
    "a: |2\n   b\n",
    "a: >\n  b\n   c\n",
    "a: |\n\n  b\n",
    `${Array.from({ length: 40 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join("")}${" ".repeat(40)}b: c\n`,
  ])("leaves to the library: %j", (text) => {
    expect(readPlainYaml(text)).toBeNull();
  });

  const pieces = [
    ...["a", "b-c", "true", "x y", ":", ": ", ":\n", "\n", "\n\n", " ", "  ", "    ", "- ", "|", "|-\n", ">\n", ">-\n"],
    ...["[", "]", "{ ", " }", "}", ", ", ",", '"', "'", "12", "0.5", "-1", "1.0", "#", " #c", "\\", "\t", "\r\n"],
    ...[
      "é",
      "-0",
      "00",
      "1e3",
      "\u2028",
      "\u0085",
      "\uFEFF",
      "&a",
      "*a",
      "!t",
      "%",
      "@",
      "`",
      "---",
      "...",
      "? ",
      "null",
      "~",
    ],
  ];
  const lines = fc.array(
    fc.tuple(
      fc.constantFrom("", "  ", "    ", "      "),
      fc.constantFrom(
        "a: b",
        "c:",
        "d: 1",
        "e: |",
        "f: >-",
        "g: [x, y]",
        'h: { i: "j", k: l }',
        "text here",
        "",
        'm: "n"',
        "o: p q",
      ),
    ),
    { maxLength: 9 },
  );
  const shaped = lines.map((all) => all.map(([indent, line]) => `${indent}${line}\n`).join(""));

  it.each([
    ["pieces", fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((all) => `a: ${all.join("")}`)],
    ["lines", shaped],
    [
      "lines with something typed into them",
      fc
        .tuple(fc.oneof(shaped, fc.constantFrom(...written)), fc.constantFrom(...pieces), fc.nat(200), fc.nat(3))
        .map(([text, typed, at, cut]) => text.slice(0, at) + typed + text.slice(at + cut)),
    ],
  ])("never differs from the library: %s", (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        agrees(text);
      }),
      { numRuns: 2000 },
    );
  });
});
