import { expect, it, test } from "vitest";
import { applyChanges } from "../../flow/text-change";
import { readSource } from "../read-source";
import { joinAll } from "./join-sections";
import { joinTwins } from "./join-twins";

const flowOf = (agent: string): string => `agents:\n  a:${agent}swarm:\n  type: workflow\n  flow: a\n`;

/** The file after all repairs. */
function repair(source: string): string {
  let text = source;
  for (let changes = joinTwins(readSource(text)); changes.length > 0; changes = joinTwins(readSource(text)))
    text = applyChanges(text, changes);
  return text;
}

test.each([
  [
    "two texts without quotes",
    "\n    instructions: Olga's\n    instructions: Ed's\n",
    "\n    instructions: |-\n      Olga's\n      Ed's\n",
  ],
  [
    "two blocks",
    "\n    instructions: |-\n      one\n    instructions: |-\n      two\n",
    "\n    instructions: |-\n      one\n      two\n",
  ],
  [
    "texts in two styles",
    '\n    instructions: "one"\n    instructions: >-\n      two\n',
    "\n    instructions: |-\n      one\n      two\n",
  ],
  ["two texts in braces", ' { instructions: one, instructions: "two" }\n', ' { instructions: "onetwo" }\n'],
  [
    "two texts apart",
    "\n    instructions: |-\n      one\n    max_steps: 3\n    instructions: |-\n      two\n      three\n    model: m\n",
    "\n    instructions: |-\n      one\n      two\n      three\n    max_steps: 3\n    model: m\n",
  ],
  [
    "two texts apart in braces",
    ' { instructions: one, max_steps: 3, instructions: "two", model: m }\n',
    ' { instructions: "onetwo", max_steps: 3, model: m }\n',
  ],
  ["no text and a text in braces", ' { instructions, instructions: "two" }\n', ' { instructions: "two" }\n'],
  ["a text and no text in braces", ' { instructions: "one", instructions }\n', ' { instructions: "one" }\n'],
  [
    "two values",
    "\n    model: m\n    max_steps: 3\n    max_steps: 4\n",
    "\n    model: m\n    max_steps: 3\n    # max_steps: 4\n",
  ],
  [
    "no value and a value",
    "\n    max_steps:\n    model: m\n    max_steps: 4\n",
    "\n    # max_steps:\n    model: m\n    max_steps: 4\n",
  ],
  ["two values in braces", " { max_steps: 3, model: m, max_steps: 4 }\n", " { max_steps: 3, model: m }\n"],
])("%s of one field become one", (_, before, after) => {
  expect(repair(flowOf(before))).toBe(flowOf(after));
});

it("leaves a file alone in which nothing is there twice", () => {
  expect(joinTwins(readSource(flowOf(" { max_steps: 3 }\n")))).toEqual([]);
});

const flow = "agents:\n  a: { model: m }\nswarm:\n  type: workflow\n  flow: a\n";
test.each([
  ["neighbours", "limits:\n  max_cost: 2\nlimits:\n  max_seconds: 3\n", "limits:\n  max_cost: 2\n  max_seconds: 3\n"],
  [
    "others between them",
    'vars:\n  tone: "mild"\nlimits:\n  max_cost: 2\nvars:\n  style: |-\n    one\n    two\n  n: 3\n',
    'vars:\n  tone: "mild"\n  style: |-\n    one\n    two\n  n: 3\nlimits:\n  max_cost: 2\n',
  ],
  ["another indentation", "vars:\n  a: 1\nvars:\n    b: 2\n", "vars:\n  a: 1\n  b: 2\n"],
  ["nothing in the first one", "vars:\nvars:\n  b: 2\n", "vars:\n  b: 2\n"],
  ["nothing in the second one", "vars:\n  b: 2\nvars:\n", "vars:\n  b: 2\n"],
  [
    "one entry in both",
    "limits:\n  max_cost: 2\nlimits:\n  max_cost: 3\n",
    "limits:\n  max_cost: 2\n  # max_cost: 3\n",
  ],
  ["three", "vars:\n  a: 1\nvars:\n  b: 2\nvars:\n  c: 3\n", "vars:\n  a: 1\n  b: 2\n  c: 3\n"],
])("two sections of one key become one: %s", (_, before, after) => {
  expect(repair(before + flow)).toBe(after + flow);
  expect(repair(flow + before)).toBe(flow + after);
});

test.each(["vars: { a: 1 }\nvars:\n  b: 2\n", "vars:\n  a: 1\nvars: { b: 2 }\n"])(
  "sections that are written otherwise are left to the user: %j",
  (sections) => {
    expect(joinTwins(readSource(sections + flow))).toEqual([]);
  },
);

it("leaves alone what a user is typing", () => {
  expect(joinTwins(readSource(`vars:\n  a: 1\nvars:\n${flow}`), { ...joinAll, isJoined: () => false })).toEqual([]);
});
