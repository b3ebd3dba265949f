import { describe, expect, it, test } from "vitest";
import { type Edit, emptyLayout } from "../../flow/edit";
import { applyChanges } from "../../flow/text-change";
import { readSource } from "../read-source";
import { prepareEdit } from "./prepare-edit";
import { readTextField, writeTextEdit } from "./write-text-edit";

const instructions = (value: string): Edit => ({ type: "set-agent-field", name: "a", field: "instructions", value });
const flowOf = (agent: string): string => `agents:\n  a:${agent}swarm:\n  type: workflow\n  flow: a\n`;

/** The file after an edit, made in two steps. */
function write(source: string, edit: Edit): { prepared: string; written: string } {
  const prepare = (text: string): string => applyChanges(text, prepareEdit(readSource(text), emptyLayout, edit));
  // A style, and then what a value needs of it.
  const prepared = prepare(prepare(source));
  const changes = writeTextEdit(readSource(prepared), edit);
  if (!changes) throw new Error(`no shared style in ${prepared}`);
  return { prepared, written: applyChanges(prepared, changes) };
}

const block = "\n    model: m\n    instructions: |-\n      You are it.\n";
test.each([
  ["a plain text", "\n    model: m\n    instructions: You are it.\n", block],
  [
    "a plain text with a comment",
    "\n    model: m\n    instructions: You are it. # note\n",
    block.replace("|-", "|- # note"),
  ],
  ["a text in single quotes", "\n    model: m\n    instructions: 'You are it.'\n", block],
  ["a text over two lines", "\n    model: m\n    instructions: You\n      are it.\n", block],
  ["a folded block", "\n    model: m\n    instructions: >-\n      You\n      are it.\n", block],
  [
    "a text in double quotes",
    '\n    model: m\n    instructions: "You are it."\n',
    '\n    model: m\n    instructions: "You are it."\n',
  ],
  ["a text in braces", " { model: m, instructions: You are it. }\n", ' { model: m, instructions: "You are it." }\n'],
  ["no text", "\n    model: m\n", "\n    model: m\n    instructions: |-\n      \n"],
  ["no text in braces", " { model: m }\n", ' { model: m, instructions: "" }\n'],
  ["no value", "\n    model: m\n    instructions:\n", "\n    model: m\n    instructions: |-\n      \n"],
  ["an empty text", '\n    model: m\n    instructions: ""\n', '\n    model: m\n    instructions: ""\n'],
  [
    "an empty line",
    "\n    model: m\n    instructions: |\n      a\n\n      b\n",
    "\n    model: m\n    instructions: |\n      a\n      \n      b\n",
  ],
])("%s gets a style that holds every letter, before the first one", (_, before, after) => {
  expect(write(flowOf(before), instructions("x")).prepared).toBe(flowOf(after));
});

describe.each([
  ["a literal block", "\n    model: m\n    instructions: |-\n      one two\n"],
  ["double quotes", ' { model: m, instructions: "one two" }\n'],
  ["single quotes in braces", " { model: m, instructions: 'one two' }\n"],
])("a text in %s", (_, agent) => {
  it.each(["one: two", "one two", " one two", "one # two", "o\"n'e", "", "one two\\", "x", "- one"])(
    "is written as %j",
    (value) => {
      const { written } = write(flowOf(agent), instructions(value));
      const document = readSource(written);
      expect(document.unreadableRanges).toEqual([]);
      expect(document.flow.agents.get("a")?.instructions ?? "").toBe(value);
      expect(readTextField(document, instructions(""))).toBe(value);
    },
  );
});

it.each(["one\ntwo", "one\n", "one\n\n", "\none", "\n one\ntwo", "a\n\n\nb\n"])("lines are typed as %j", (value) => {
  const { written } = write(flowOf(block), instructions(value));
  const document = readSource(written);
  expect(document.unreadableRanges).toEqual([]);
  expect(readTextField(document, instructions(""))).toBe(value);
  expect(document.flow.agents.get("a")?.instructions?.trimEnd()).toBe(value.trimEnd());
});

const setDescription = (text: string): Edit => ({ type: "set-flow-description", text });
const setVar = (value: string): Edit => ({ type: "set-var", name: "v", value });

describe.each([
  ["single quotes in braces", flowOf(" { model: m, instructions: '''one'' \"two\"' }\n"), instructions],
  ["double quotes in braces", flowOf(' { model: m, instructions: "one two" }\n'), instructions],
  ["double quotes over two lines in braces", flowOf(' { model: m, instructions: "one\n      two" }\n'), instructions],
  ["braces without quotes", flowOf(" { model: m, instructions: one two }\n"), instructions],
  ["single quotes of a variable", `vars:\n  v: 'one "two"'\nagents:\n  a: { model: m }\n`, setVar],
  ["single quotes of a variable in braces", `vars: { v: 'one "two"' }\nagents:\n  a: { model: m }\n`, setVar],
  ["braces without quotes of a variable", `vars: { v: one "two" }\nagents:\n  a: { model: m }\n`, setVar],
  ["single quotes of the description", `description: 'one "two"'\nagents:\n  a: { model: m }\n`, setDescription],
])("a text in %s", (_, source, toEdit) => {
  it.each(["one\ntwo", "\n", "'one'\n\"two\"\n", "one\ttwo\r\nthree", "one\r\"two'"])("takes %j", (value) => {
    const document = readSource(write(source, toEdit(value)).written);
    expect(document.unreadableRanges).toEqual([]);
    expect(document.broken).toBe(false);
    expect(readTextField(document, toEdit(""))).toBe(value);
  });
});

it("other fields of a new entry are prepared without their value", () => {
  const edit: Edit = { type: "set-agent-field", name: "a", field: "temperature", value: 0.5 };
  for (const agent of ["\n    model: m\n", " { model: m }\n"]) {
    const source = flowOf(agent);
    const prepared = applyChanges(source, prepareEdit(readSource(source), emptyLayout, edit));
    expect(prepared).toMatch(/temperature:(?:\n| \})/);
  }
});

test("a field without a colon takes nothing of the one after it", () => {
  const source = flowOf(' { instructions, model: "m" }\n');
  expect(prepareEdit(readSource(source), emptyLayout, instructions("x"))).toEqual([]);
});
