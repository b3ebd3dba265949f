import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolSpec } from "@/lib/core/run/ports/model";
import { warnOfTextCall } from "../text-calls/text-call-forms";
import type { OfferedTools, TextCall } from "./text-call-forms";
import { TextCalls } from "./text-calls";

const spec = (name: string, properties = {}): ToolSpec => ({
  name,
  description: "",
  parameters: { type: "object", properties },
});
const tools = [spec("add", { a: { type: "integer" }, note: { type: "string" } }), spec("now")];
const offered: OfferedTools = new Map(tools.map((tool) => [tool.name, tool]));

interface Read {
  calls: TextCall[];
  /** What was passed on while the answer streamed, and at its end. */
  text: string;
}

function read(pieces: readonly string[], bareJson = true): Read {
  const reader = new TextCalls(offered, { bareJson });
  const passed = pieces.map((piece) => reader.read(piece)).join("");
  const { calls, text } = reader.finish(false);
  return { calls, text: passed + text };
}

const call = (name: string, args: object = {}): TextCall => ({ name, arguments: JSON.stringify(args) });
const add = call("add", { a: 1 });

/** Answers that are calls, with the text before them. */
const calling: [answer: string, calls: TextCall[], text?: string][] = [
  ['<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>', [add]],
  ['<tool_call>{"name":"add","arguments":"{\\"a\\":1}"}</tool_call>', [add]],
  ['<tool_call>{"name":"now"}</tool_call>', [call("now")]],
  ['<tool_call>{"name":"add","arguments":{"a":1}}', [add]],
  ['Let me see.\n\n<tool_call>\n{"name":"now","arguments":{}}\n</tool_call>\n', [call("now")], "Let me see.\n\n"],
  [
    '<tool_call>{"name":"now","arguments":{}}</tool_call>\n<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>',
    [call("now"), add],
  ],
  ["<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>", [add]],
  [
    "<function=add><parameter=note>\n1\n2\n</parameter><parameter=a>3</parameter></function>",
    [call("add", { note: "1\n2", a: 3 })],
  ],
  ['<function=add>{"a": 1}</function>', [add]],
  ["<function=now></function>", [call("now")]],
  ['[TOOL_CALLS] [{"name": "add", "arguments": {"a": 1}}, {"name": "now", "arguments": {}}]', [add, call("now")]],
  ['[TOOL_CALLS]add[ARGS]{"a": 1}[TOOL_CALLS]now[ARGS]{}', [add, call("now")]],
  ['[TOOL_CALLS]add{"a": 1}', [add]],
  ['<|python_tag|>{"name": "add", "parameters": {"a": 1}}<|eom_id|>', [add]],
  ['<|python_tag|>{"name":"add","parameters":{"a":1}}; {"name":"now","parameters":{}}', [add, call("now")]],
  ['{"name": "add", "parameters": {"a": 1}}', [add]],
  ['\n{"type":"function","name":"add","arguments":{"a":1}}\n', [add], "\n"],
  ['[{"name":"add","arguments":{"a":1}},{"name":"now","arguments":{}}]', [add, call("now")]],
  ['```json\n{"name": "add", "arguments": {"a": 1}}\n```', [add]],
  ['```\n{"arguments": {"a": 1}, "name": "add"}\n```\n', [add]],
];

/** Answers that only talk about calls, JSON or code, or call what is not offered. */
const talking = [
  "The result is 2.",
  "",
  "  \n",
  '{"name": "Ada", "parameters": {"a": 1}}',
  '{"name": "add"}',
  '{"name": "add", "arguments": null}',
  '{"name": "add", "arguments": {"a": 1}, "result": 2}',
  '{"name": "add", "arguments": [1]}',
  '{"title": "add", "arguments": {}}',
  '{"name": 7, "arguments": {}}',
  "{ add: 1 }",
  '{"name": "add", "arguments": {"a": 1}} is how it is called.',
  'Call it like this:\n```json\n{"name": "add", "arguments": {"a": 1}}\n```\nand it adds.',
  '```python\nprint({"name": "add", "arguments": {}})\n```',
  '```xml\n<tool_call>\n{"name":"add","arguments":{"a":1}}\n</tool_call>\n```',
  'Write `<tool_call>{"name":"now"}</tool_call>` to know the time.',
  'Hermes writes <tool_call>{"name":"now"}</tool_call> in the middle of a line.',
  '    <tool_call>{"name":"now"}</tool_call>',
  '<tool_call>{"name":"now","arguments":{}}</tool_call>\nis an example of a call.',
  '<tool_call>{"name":"gone","arguments":{}}</tool_call>',
  '<tool_call>{"name":"now","arguments":{}}</tool_call>\n<tool_call>{"name":"gone","arguments":{}}</tool_call>',
  '<tool_call>{"name":"add","arguments":{"a":</tool_call>',
  "<tool_call>{'name': 'now'}</tool_call>",
  "<tool_call>",
  "<tool_calls>",
  "<function=gone></function>",
  "<function=add>a = 1</function>",
  "<function=add><parameter=a>1</function>",
  "[TOOL_CALLS] is a token of Mistral.",
  '<|python_tag|>brave_search.call(query="x")',
  "[1, 2, 3]",
  "[Link](http://x)",
  "`add` adds.",
  "```",
  "<tool",
];

const splits = fc.array(fc.nat(300), { maxLength: 12 });
const cutAt = (text: string, at: readonly number[]): string[] => {
  const places = [0, ...at.filter((place) => place < text.length).toSorted((a, b) => a - b), text.length];
  return places.slice(1).map((place, index) => text.slice(places[index], place));
};

describe("tool calls in the text of an answer", () => {
  it.each(calling)("are read, however the answer is cut: %s", (answer, calls, text = "") => {
    expect(read([answer])).toEqual({ calls, text });
    expect(read([...answer])).toEqual({ calls, text });
    fc.assert(
      fc.property(splits, (at) => void expect(read(cutAt(answer, at))).toEqual({ calls, text })),
      { numRuns: 30 },
    );
  });

  it.each(talking)("are not read from what only looks like one, and no character is lost: %j", (answer) => {
    expect(read([answer])).toEqual({ calls: [], text: answer });
    expect(read([...answer])).toEqual({ calls: [], text: answer });
    fc.assert(
      fc.property(splits, (at) => void expect(read(cutAt(answer, at))).toEqual({ calls: [], text: answer })),
      {
        numRuns: 30,
      },
    );
  });

  it("any text without a call is passed on as it came", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<tool_call>",
        "</tool_call>",
        "<function=",
        "[TOOL_CALLS]",
        "```",
        "\n",
        " ",
        "{",
        '"name"',
        ":",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { calls, text } = read(pieces);
        expect(calls).toEqual([]);
        expect(text).toBe(pieces.join(""));
      }),
    );
  });

  it("are held back while they come; an ordinary answer is not", () => {
    const reader = new TextCalls(offered, { bareJson: true });
    expect(reader.read("Sure.\n<tool")).toBe("Sure.\n");
    expect(reader.read('_call>{"name"')).toBe("");
    const json = new TextCalls(offered, { bareJson: true });
    expect(json.read('{"na')).toBe("");
    expect(json.read('me": "Ada')).toBe('{"name": "Ada');
    expect(json.read('", ')).toBe('", ');
  });

  it("as bare JSON are left alone where the agent answers with JSON", () => {
    const answer = '{"name": "add", "arguments": {"a": 1}}';
    expect(read([answer], false)).toEqual({ calls: [], text: answer });
  });

  it("are left alone where the server sent calls itself", () => {
    const reader = new TextCalls(offered, { bareJson: true });
    const passed = reader.read('<tool_call>{"name":"now"}</tool_call>');
    expect([passed, reader.finish(true)]).toEqual(["", { calls: [], text: '<tool_call>{"name":"now"}</tool_call>' }]);
  });

  it.each([
    '<tool_call>{"name":"now"}</tool_call>',
    "<tool_call>",
    '{"name":"add","arguments":{"note":"',
    " ",
    "<function=add>",
  ])(
    "in 25,000 pieces take time as their length, not as its square, which would exceed the limit: %s",
    (piece) => {
      const reader = new TextCalls(offered, { bareJson: true });
      let passedText = "";
      for (let length = 0; length < 100_000; length += 4)
        passedText += reader.read(piece.slice(length % piece.length).slice(0, 4));
      const { text } = reader.finish(false);
      expect(passedText + text).not.toBe("");
    },
    5_000,
  );
});

describe("the warning of a call in the text", () => {
  it.each([
    '<tool_call>{"name":"gone","arguments":{}}</tool_call>',
    'Sure.<tool_call>{"name":"now"}</tool_call> Done.',
    "<tool_call>\n{'name': 'now'}",
    "<function=gone></function>",
    "[TOOL_CALLS]gone{}",
    '<|python_tag|>brave_search.call(query="x")',
    "<｜tool▁calls▁begin｜>now",
    'Let me add.\n{"name": "add", "arguments": [1]}',
    'I call it:\n```json\n{\n  "name": "add",\n  "parameters": {}\n}\n```',
  ])("comes for %s", (answer) => {
    expect(warnOfTextCall(answer, tools)).toMatchObject({ code: "tool-call-in-text" });
  });

  it.each([
    "The result is 2.",
    "",
    'Write `<tool_call>{"name":"now"}</tool_call>` to know the time.',
    'Like this:\n```\n<tool_call>{"name":"now"}</tool_call>\n```\nThat is all.',
    'Like this:\n```\n<tool_call>{"name":"now"}',
    '{"name": "Ada", "parameters": {}}',
    '{"name": "add"}',
    '{"name": "add", "arguments": null}',
    "A <tool_call> is a tag, and [TOOL_CALLS] a token.",
    "function f() {\n}",
  ])("does not come for %j", (answer) => {
    expect(warnOfTextCall(answer, tools)).toBeNull();
  });

  it("comes for tags where no tools are offered, not for JSON", () => {
    expect(warnOfTextCall('<tool_call>{"name":"now"}</tool_call>', [])).not.toBeNull();
    expect(warnOfTextCall('{"name":"now","arguments":{}}', [])).toBeNull();
  });
});
