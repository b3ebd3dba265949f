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
    ["with Windows line ends", "|-\r\n       \r\n      one\r\n", "|2-\r\n       \r\n      one\r\n", " \none"],
  ])("%s", (_, block, mended, instructions) => {
    expect(mend(flowOf(block))).toEqual({ text: flowOf(mended), instructions });
  });
});

describe("a line that was typed after a block stays where it is", () => {
  it.each([
    ["a name without a colon", "|-\n      one\n  c\n"],
    ["words with a comment", "|-\n      one\nwords  # more\n"],
    ["after an entry of another key", "|-\n      one\n    max_steps: 5\nwords       more\n"],
  ])("%s", (_, block) => {
    const document = readSource(flowOf(block));
    expect(document.unreadableRanges).not.toEqual([]);
    expect(repairBlocks(document, { isApart: () => false })).toEqual([]);
  });
});
