import { describe, expect, it } from "vitest";
import { applyChanges } from "../../flow/text-change";
import { readSource } from "../read-source";
import { repairBlocks } from "./repair-blocks";

const flowOf = (block: string): string =>
  `agents:\n  a:\n    model: "demo:writer"\n    instructions: ${block}  b: { model: "demo:writer" }\nswarm:\n  flow: a >> b\n`;

function mend(text: string): { text: string; instructions: string | undefined } {
  const before = readSource(text);
  expect(before.unreadableRanges).toHaveLength(1);
  const mended = applyChanges(text, repairBlocks(before));
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
    ["with Windows line ends", "|-\r\n       \r\n      one\r\n", "|2-\r\n       \r\n      one\r\n", " \none"],
  ])("%s", (_, block, mended, instructions) => {
    expect(mend(flowOf(block))).toEqual({ text: flowOf(mended), instructions });
  });
});
