import { describe, expect, it } from "vitest";
import { applyChanges } from "../../flow/text-change";
import { readSource } from "../read-source";
import { repairEscapes } from "./repair-escapes";

const flowOf = (value: string): string =>
  `agents:\n  a: { model: "demo:writer", instructions: ${value} }\n  b: { model: "demo:writer" }\nswarm:\n  flow: a >> b\n`;

describe("a backslash whose letter is elsewhere is one of the text", () => {
  it.each([
    ["before a letter that is no escape", String.raw`"one\#two\n"`, "one\\#two\n"],
    ["before too few digits", String.raw`"one\x4z \x41"`, "one\\x4z A"],
    ["twice", String.raw`"\% \\ \d"`, "\\% \\ \\d"],
  ])("%s", (_, value, instructions) => {
    const before = readSource(flowOf(value));
    expect(before.unreadableRanges).toHaveLength(1);
    const after = readSource(applyChanges(before.text, repairEscapes(before, { isApart: () => true })));
    expect(after.unreadableRanges).toEqual([]);
    expect(after.flow.agents.get("a")?.instructions).toBe(instructions);
  });
});

it("a backslash that someone types before a letter stays", () => {
  expect(repairEscapes(readSource(flowOf(String.raw`"one\d"`)), { isApart: () => false })).toEqual([]);
});
