import fc from "fast-check";
import { anyCodePoint } from "../flow/code-point.arbitrary";
import type { Json } from "../flow/flow";
import type { Problem } from "../flow/problem";
import { applyChanges } from "../flow/text-change";
import type { KnownNames } from "./check";
import type { Condition } from "./condition";
import { type ConditionResult, type ConditionScope, evaluateCondition } from "./evaluate";
import { parseCondition } from "./parse";
import { findPatternMistake } from "./pattern";

/** What the conditions of the tests are about. */
export const scope: ConditionScope = {
  input: "The answer is Yes.",
  outputs: new Map<string, Json>([
    ["writer", "Draft 2: APPROVED\nscore 8"],
    ["my reviewer", { score: 8, verdict: "good", tags: ["a", "b"], nested: { deep: [1, { x: null }] } }],
    ["scores", [3, 1, 2]],
    ["number", "42"],
    ["json", '{"ok": true, "__proto__": 7}'],
    ["empty", ""],
  ]),
  vars: new Map<string, string | number | boolean>([
    ["limit", 3],
    ["tone", "formal"],
    ["strict", true],
  ]),
  item: { id: 7, name: "seven" },
  round: 2,
};

/** The names of `scope`. */
export const known: KnownNames = {
  outputs: new Set(scope.outputs.keys()),
  vars: scope.vars,
  loop: true,
  checkPattern: findPatternMistake,
};

/** The condition of a text without mistakes. */
export function parsed(text: string): Condition {
  const { expression, problems } = parseCondition(text);
  if (!expression || problems.length > 0) throw new Error(`expected a condition, found ${text}`);
  return expression;
}

export const evaluate = (text: string, over: Partial<ConditionScope> = {}): ConditionResult =>
  evaluateCondition(parsed(text), { ...scope, ...over });

/** The text after the first problem's fix, null without one. */
export function fixed(text: string, [problem]: readonly Problem[]): string | null {
  return problem?.fix ? applyChanges(text, problem.fix.changes) : null;
}

const leaf = fc.constantFrom(
  "input",
  "outputs.writer",
  'outputs["my reviewer"]',
  "outputs.scores",
  "vars.limit",
  "vars.tone",
  "item",
  "round",
  "12",
  "0.5",
  "true",
  "None",
  '"yes"',
  "'(a+)+$'",
  "[]",
  "__proto__",
);

const binary = fc.constantFrom(..."or || and && == === != !== < <= > >= in + - * / %".split(" "), "not in");

/** Texts of random conditions; each has the form of one. */
export const conditionText: fc.Arbitrary<string> = fc
  .letrec<{ text: string }>((tie) => {
    const text = tie("text");
    const some = fc.array(text, { maxLength: 3 }).map((parts) => parts.join(", "));
    const names =
      "len contains matches lower upper trim starts_with ends_with number text json min max abs round nothing";
    return {
      text: fc.oneof(
        { maxDepth: 6, depthSize: "medium", withCrossShrink: true },
        leaf,
        fc.tuple(text, binary, text).map(([left, sign, right]) => `(${left}) ${sign} (${right})`),
        fc.tuple(fc.constantFrom(...names.split(" ")), some).map(([name, parts]) => `${name}(${parts})`),
        fc.tuple(text, text, text).map(([test, yes, no]) => `(${test}) ? ${yes} : ${no}`),
        fc.tuple(text, text).map(([of, index]) => `(${of})[${index}]`),
        text.map((of) => `(${of}).constructor`),
        text.map((of) => `not (${of})`),
        text.map((of) => `-(${of})`),
        some.map((members) => `[${members}]`),
      ),
    };
  })
  .text.filter(({ length }) => length <= 2000);

/** Pieces of conditions in any order, and any text at all. */
export const conditionSoup: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  fc
    .array(
      fc.constantFrom(
        ..."( ) [ ] ? : , . ' \" \\ = == ! not in and AND & || + - * / % < <> outputs vars outputs.a input len( 1 2e9 é".split(
          " ",
        ),
        " ",
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join("")),
);

export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(
      fc.string(),
      fc.constantFrom("5", "[1]", "yes"),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor")), tie("json"), { maxKeys: 4 }),
  ),
})).json;
