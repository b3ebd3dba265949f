import { describe, expect, it } from "vitest";
import { applyChanges } from "../../flow/text-change";
import { readSource } from "../read-source";
import { repairEscapes } from "./repair-escapes";

const flowOf = (value: string): string =>
  `agents:\n  a: { model: "demo:writer", instructions: ${value} }\n  b: { model: "demo:writer" }\nswarm:\n  flow: a >> b\n`;

/** The text with what is mended of it where letters are apart; missing: everywhere. */
const repair = (text: string, places?: readonly number[]): string =>
  applyChanges(
    text,
    repairEscapes(readSource(text), { isApart: (offset) => places === undefined || places.includes(offset) }),
  );

describe("a backslash whose letter is elsewhere is one of the text", () => {
  it.each([
    ["before a letter that is no escape", String.raw`"one\#two\n"`, "one\\#two\n"],
    ["before too few digits", String.raw`"one\x4z \x41"`, "one\\x4z A"],
    ["twice", String.raw`"\% \\ \d"`, "\\% \\ \\d"],
    [
      "beside each known one",
      String.raw`"\0\a\b\t\n\v\f\r\e\"\/\\\N\_\L\P\d"`,
      '\0\x07\b\t\n\v\f\r\x1b"/\\\x85\xa0\u2028\u2029\\d',
    ],
    ["on a later line", '"one\\\n      two\n      three\\d"', "onetwo three\\d"],
  ])("%s", (_, value, instructions) => {
    const before = readSource(flowOf(value));
    expect(before.unreadableRanges).toHaveLength(1);
    const after = readSource(repair(flowOf(value)));
    expect(after.unreadableRanges).toEqual([]);
    expect(after.flow.agents.get("a")?.instructions).toBe(instructions);
  });

  it("where the letter was not written beside it", () => {
    const text = flowOf(String.raw`"one\d\d"`);
    const offset = text.indexOf("\\");
    expect(repair(text, [offset + 1])).toBe(flowOf(String.raw`"one\\d\d"`));
    for (const places of [[], [offset], [offset + 2]]) expect(repair(text, places)).toBe(text);
  });
});

it.each([
  ["a block", 'agents:\n  a:\n    tools: [\n    instructions: |-\n      Match "\\d".\n'],
  ["single quotes", "agents:\n  a:\n    tools: [\n    instructions: 'Match \"\\d\".'\n"],
  ["a text without quotes", 'agents:\n  a:\n    tools: [\n    instructions: Match "\\d".\n'],
  ["a flow that cannot be read", 'agents:\n  a: { model: m }\nswarm:\n  flow: a >> ( "\\d"\n'],
])("a backslash in %s stays", (_, text) => {
  expect(readSource(text).unreadableRanges).not.toEqual([]);
  expect(repair(text)).toBe(text);
});
