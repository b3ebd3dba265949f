import { describe, expect, it } from "vitest";
import { applyChanges } from "../../flow/text-change";
import { readSource } from "../read-source";
import { repairBlocks } from "./repair-blocks";

const flowOf = (block: string): string =>
  `agents:\n  a:\n    model: "demo:writer"\n    instructions: ${block}  b: { model: "demo:writer" }\nswarm:\n  flow: a >> b\n`;

function mend(text: string): { text: string; instructions: string | undefined } {
  expect(readSource(text).unreadableRanges).not.toEqual([]);
  let mended = text;
  // A mend may need another one before it.
  for (let time = 0; time < 3; time++)
    mended = applyChanges(mended, repairBlocks(readSource(mended), { isApart: () => true }));
  const after = readSource(mended);
  expect(after.unreadableRanges).toEqual([]);
  return { text: mended, instructions: after.flow.agents.get("a")?.instructions };
}

describe("a block is readable again", () => {
  it.each([
    [
      "whose first line begins with a space",
      "|-\n       one\n      two\n",
      "|2-\n       one\n      two\n",
      " one\ntwo",
    ],
    [
      "with an empty line of spaces before the first",
      "|-\n       \n      one\n",
      "|2-\n       \n      one\n",
      " \none",
    ],
    [
      "with letters between a line break and the margin after it",
      "|-\n      \nabc       one\n      two\n",
      "|-\n      \n      abc one\n      two\n",
      "\nabc one\ntwo",
    ],
    [
      "with a line that has lost its margin",
      "|-\n      one\nabc\nde\n      two\n",
      "|-\n      one\n      abc\n      de\n      two\n",
      "one\nabc\nde\ntwo",
    ],
    [
      "with several of them",
      "|-\n      one\na      \n      two\nb      three\n",
      "|-\n      one\n      a\n      two\n      bthree\n",
      "one\na\ntwo\nbthree",
    ],
    ["that states too much", "|3-\n      one\n       two\n", "|2-\n      one\n       two\n", "one\n two"],
    ["whose only line has its margin at the end", "|-\nabc      \n", "|-\n      abc\n", "abc"],
    [
      "that states its indentation",
      "|2-\n       one\n  abc      two\n",
      "|2-\n       one\n        abctwo\n",
      " one\n  abctwo",
    ],
    [
      "whose first line begins with a space, with an example of a block in its text",
      "|-\n       one\n      note: |\n          two\n        three\n",
      "|2-\n       one\n      note: |\n          two\n        three\n",
      " one\nnote: |\n    two\n  three",
    ],
    [
      "with a torn line below an example of a block",
      "|-\n      note: |\n          one\n        two\nabc      three\n",
      "|-\n      note: |\n          one\n        two\n      abcthree\n",
      "note: |\n    one\n  two\nabcthree",
    ],
    [
      "with an example of a block that has lost its margin",
      "|-\n      one\nabc\nnote: |\n        two\n      three\n",
      "|-\n      one\n      abc\n      note: |\n        two\n      three\n",
      "one\nabc\nnote: |\n  two\nthree",
    ],
    [
      "with a torn line below lines that begin with tabs",
      "|-\n      \t\tone\n      \ttwo\nabc      three\n",
      "|-\n      \t\tone\n      \ttwo\n      abcthree\n",
      "\t\tone\n\ttwo\nabcthree",
    ],
    [
      "with a torn line below lines that begin with wide spaces",
      "|-\n      \u3000\u3000one\n      \u3000two\nabc      \n",
      "|-\n      \u3000\u3000one\n      \u3000two\n      abc\n",
      "\u3000\u3000one\n\u3000two\nabc",
    ],
    [
      "with a torn line that begins with spaces",
      "|-\n      one\n  abc      two\n",
      "|-\n      one\n        abctwo\n",
      "one\n  abctwo",
    ],
    [
      "with a torn line that begins where the keys are",
      "|-\n      one\n    abc      two\n",
      "|-\n      one\n          abctwo\n",
      "one\n    abctwo",
    ],
    [
      "with a line that has lost its margin and begins with spaces",
      "|-\n      one\n  abc\n      two\n",
      "|-\n      one\n        abc\n      two\n",
      "one\n  abc\ntwo",
    ],
    [
      "after another one",
      "|-\n       one\n      two\n    description: |-\n      three\n",
      "|2-\n       one\n      two\n    description: |-\n      three\n",
      " one\ntwo",
    ],
    ["with Windows line ends", "|-\r\n       \r\n      one\r\n", "|2-\r\n       \r\n      one\r\n", " \none"],
  ])("%s", (_, block, mended, instructions) => {
    expect(mend(flowOf(block))).toEqual({ text: flowOf(mended), instructions });
  });
});

it.each(["v", "größe", '"a b"'])("a block of the variable %s is readable again", (name) => {
  const flowWith = (head: string): string => `vars:\n  ${name}: ${head}\n       one\n      two\n${flowOf('"x"\n')}`;
  expect(mend(flowWith("|-")).text).toBe(flowWith("|4-"));
});

it("the block above a torn line gets it, not an earlier one", () => {
  const text = flowOf("|-\n      one\n    description: |-\n        two\nabc        three\n");
  const mended = flowOf("|-\n      one\n    description: |-\n        two\n        abcthree\n");
  expect(mend(text)).toEqual({ text: mended, instructions: "one" });
});

it("a line that begins with a colon is text of the block above it, and no entry without a key", () => {
  const read = (text: string) => repairBlocks(readSource(text), { isApart: () => true });
  const text = flowOf("|-\n       one\n      : two\n    max_steps: 5\n");
  const mended = applyChanges(text, read(text));
  expect(mended).toBe(flowOf("|2-\n       one\n      : two\n    max_steps: 5\n"));
  expect(read(mended)).toEqual([]);
  const explicit = "agents:\n  ? a\n  : model: m\n    instructions: |\n      one\n  ? b\n  : { model: m }\n";
  expect(read(explicit)).toEqual([]);
});

it("a line is torn where its first letter, and what follows it, are apart", () => {
  const text = flowOf("|-\n      one\nabc      two       three\n");
  const repairWith = (...places: number[]): string =>
    applyChanges(text, repairBlocks(readSource(text), { isApart: (offset) => places.includes(offset) }));
  const [start, margin, other] = ["abc", "      two ", "      three"].map((part) => text.indexOf(part));
  if (start === undefined || margin === undefined || other === undefined) throw new Error("The text has no such line.");
  expect(repairWith(start, margin)).toBe(flowOf("|-\n      one\n      abctwo       three\n"));
  expect(repairWith(start, other)).toBe(flowOf("|-\n      one\n      abc      two three\n"));
  for (const places of [[], [start], [margin], [start + 1, margin]]) expect(repairWith(...places)).toBe(text);
});

describe("what can be read, and what someone may be typing, stays", () => {
  it.each([
    ["tabs", "|-\n      \t\tone\n      \ttwo\n    tools: [\n"],
    ["wide spaces", "|-\n      \u3000\u3000one\n      \u3000two\n    tools: [\n"],
    ["spaces that do not break", "|-\n      \u00a0\u00a0one\n      \u00a0two\n    tools: [\n"],
    ["an example of a block", "|-\n      note: |\n          one\n        two\n    tools: [\n"],
    [
      "an example in a block that no digit can mend",
      "|-\n               one\n              note: |\n                 two\n                x\n",
    ],
    ["a long empty line in a block that states its indentation", "|2-\n           \n        one\n    tools: [\n"],
    ["a key above the line", "|-\n      one\n    description:       x\nabc      \n"],
    ["a comment after the block", "|-\n      one\n     # two\n    tools: [\n"],
    ["a block after what cannot be read", '"x\n    description: |-\n      one\n'],
    ["another key between the block and the line", "|-\n      one\n    max_steps: 5\nwords       more\n"],
    ["a key of the agent that is typed", "|-\n      one\n    output_schem\n      type: object\n"],
    ["a name that is typed", "|-\n      one\n  c\n"],
    ["an agent whose text has to be ended", "|-\n      one\n  c:\n    tools: [\n"],
    ["an agent whose colon is missing", "|-\n      one\n  c\n    tools: []\n"],
  ])("%s", (_, block) => {
    const document = readSource(flowOf(block));
    expect(document.unreadableRanges).not.toEqual([]);
    expect(repairBlocks(document, { isApart: () => true })).toEqual([]);
  });

  it("a key with spaces after it", () => {
    const text = flowOf("|-\n      one\n  c: [       \n");
    const isApart = (offset: number): boolean => offset === text.indexOf("  c:");
    expect(repairBlocks(readSource(text), { isApart })).toEqual([]);
    const torn = text.replace("  c: [", "words ");
    expect(repairBlocks(readSource(torn), { isApart })).not.toEqual([]);
  });

  it("what is written around members that cannot be read", () => {
    const text = "agents:\n  a: { model: m }\nswarm:\n  note: |-\n    one\n  flow:       a >> (\n";
    const document = readSource(text);
    expect(document.unreadableRanges).toMatchObject([{ type: "members" }]);
    expect(repairBlocks(document, { isApart: () => true })).toEqual([]);
  });

  it("a section whose colon is missing", () => {
    const document = readSource(
      flowOf("|-\n      one\n")
        .replace(/ {2}b:.*\n/, "")
        .replace("swarm:", "swarm"),
    );
    expect(document.unreadableRanges).not.toEqual([]);
    expect(repairBlocks(document, { isApart: () => true })).toEqual([]);
  });
});

describe("a line that was typed after a block stays where it is", () => {
  it.each([
    ["a name without a colon", "|-\n      one\n  c\n"],
    ["an example of a block, below words", "|-\n      one\nabc\nnote: |\n        two\n      three\n"],
    ["words with a comment", "|-\n      one\nwords  # more\n"],
  ])("%s", (_, block) => {
    const document = readSource(flowOf(block));
    expect(document.unreadableRanges).not.toEqual([]);
    expect(repairBlocks(document, { isApart: () => false })).toEqual([]);
  });
});
