import { describe, expect, it } from "vitest";
import { findPatternMistake } from "../condition/pattern";
import { errorsOf, hasErrors, type ProblemCode, problemCodes, runBlockersOf, type Severity } from "../flow/problem";
import { applyChanges } from "../flow/text-change";
import { readSource } from "../source/read-source";
import type { Offer } from "./offer";

const offer: Offer = {
  tools: ["calculator", "web_search", "file_write", "file_read"],
  switchedOffTools: ["file_write"],
  unavailableTools: [{ name: "file_read", missing: "SWARMLOOM_WORKSPACE" }],
  providers: [
    { id: "demo", label: "Demo", available: true, models: ["writer"] },
    {
      id: "openai",
      label: "OpenAI",
      available: true,
      models: ["gpt-5", "gpt-4o"],
      endings: [{ model: "gpt-4-32k", on: "2025-06-06", isOver: true, next: "gpt-4o" }],
    },
    { id: "anthropic", label: "Anthropic", available: false, missing: "ANTHROPIC_API_KEY", models: ["claude-x"] },
  ],
  isPriced: (model) => model !== "openai:gpt-4o",
  checkPattern: findPatternMistake,
};

const problemsOf = (text: string) => readSource(text, offer).problems;

/** A flow file with agents of these names and sections. */
const file = (names: string, ...sections: string[]): string =>
  ["agents:", ...[...names].map((name) => `  ${name}: { model: demo:writer }`), ...sections, ""].join("\n");
/** A flow file with agents of these names and a topology. */
const flow = (names: string, dsl: string): string => file(names, `swarm: { flow: ${JSON.stringify(dsl)} }`);
const agent = (fields: string, ...sections: string[]): string =>
  ["agents:", `  a: { ${fields} }`, ...sections, "swarm: { flow: a }", ""].join("\n");
const branch = (condition: string): string =>
  file(
    "ab",
    "vars: { limit: 3 }",
    `branches: { check: { condition: ${JSON.stringify(condition)}, if_true: b } }`,
    'swarm: { flow: "a >> check" }',
  );
const nested = (levels: number): string => flow("ab", `${"(".repeat(levels)}a | b${")".repeat(levels)}`);
const draft = (edges: string): string => file("abcd", `swarm: { type: workflow, edges: ${edges} }`);
const group = (members: string): string =>
  file("ab", `groups: { g: { flow: ${members} } }`, 'swarm: { flow: "a >> g" }');

/** A flow file with the problem, and one with the same intent that has none. */
const cases: readonly [ProblemCode, Severity, wrong: string, right: string][] = [
  // DSL
  ["empty-flow", "error", flow("a", " "), flow("a", "a")],
  ["missing-operand", "error", flow("ab", "a >> b >>"), flow("ab", "a >> b")],
  ["missing-member", "error", flow("abc", "a >> (b | | c)"), flow("abc", "a >> (b | c)")],
  ["empty-group", "error", flow("a", "a >> ()"), flow("a", "a")],
  ["bare-parallel", "error", flow("abc", "a >> b | c"), flow("abc", "a >> (b | c)")],
  ["unbalanced-parenthesis", "error", flow("ab", "(a | b"), flow("ab", "(a | b)")],
  ["unbalanced-parenthesis", "error", branch("(input == 'x'"), branch("(input == 'x')")],
  ["unclosed-quote", "error", flow("a", '"a'), flow("a", '"a"')],
  ["unclosed-quote", "error", branch("input == 'x"), branch("input == 'x'")],
  ["text-beside-parenthesis", "error", flow("abc", "a (b | c)"), flow("abc", "a >> (b | c)")],
  ["not-an-arrow", "error", flow("ab", "a -> b"), flow("ab", "a >> b")],
  ["duplicate-name", "error", flow("a", "a >> a"), flow("a", "a")],
  ["too-deep", "error", nested(201), nested(200)],
  ["too-deep", "error", branch(`${"not ".repeat(50)}input`), branch(`${"not ".repeat(49)}input`)],
  // names and structure
  ["unknown-name", "error", flow("ab", "a >> c"), flow("ac", "a >> c")],
  ["unknown-name", "error", branch("outputs.x == 1"), branch("outputs.a == 1")],
  ["unknown-name", "error", branch("size(input) > 1"), branch("len(input) > 1")],
  ["invalid-name", "error", file("a", '  " b": {}', "swarm: { flow: a }"), flow("a", "a")],
  ["name-taken", "error", file("abg", "groups: { g: { flow: a | b } }", "swarm: { flow: g }"), flow("ab", "(a | b)")],
  ["cycle", "error", group("b | g"), group("b")],
  ["not-reached", "warning", flow("abc", "a >> b"), flow("ab", "a >> b")],
  ["not-series-parallel", "error", draft("[[a, c], [b, c], [b, d]]"), flow("abcd", "(a | b) >> c >> d")],
  [
    "no-handoffs",
    "warning",
    file("ab", "swarm: { type: handoff, agents: [a, b] }"),
    file("ab", "swarm: { type: handoff, agents: [a, b], edges: [[a, b]] }"),
  ],
  ["no-agents", "error", "swarm: { flow: a }\n", flow("a", "a")],
  ["no-agents", "info", "", flow("a", "a")],
  [
    "no-members",
    "error",
    file("a", "swarm: { type: team, agents: [a] }"),
    file("ab", "swarm: { type: team, agents: [a, b] }"),
  ],
  // values
  [
    "switched-off-tool",
    "error",
    agent("model: demo:writer, tools: [file_write]"),
    agent("model: demo:writer, tools: [calculator]"),
  ],
  [
    "missing-setting",
    "error",
    agent("model: demo:writer, tools: [file_read]"),
    agent("model: demo:writer, tools: [calculator]"),
  ],
  [
    "unknown-tool",
    "error",
    agent("model: demo:writer, tools: [calculater]"),
    agent("model: demo:x, tools: [calculator]"),
  ],
  [
    "unknown-tool",
    "error",
    agent("model: demo:writer, needs_approval: [web_search]"),
    agent("model: demo:writer, tools: [web_search], needs_approval: [web_search]"),
  ],
  ["unknown-model", "warning", agent("model: openai:gpt-99"), agent("model: openai:gpt-5")],
  ["ending-model", "warning", agent("model: openai:gpt-4-32k"), agent("model: openai:gpt-5")],
  ["unknown-provider", "error", agent("model: openia:gpt-5"), agent("model: gpt-5")],
  ["missing-model", "error", agent("tools: []"), agent("model: demo:writer")],
  ["missing-key", "error", agent("model: anthropic:claude-x"), agent("model: demo:claude-x")],
  [
    "unpriced-model",
    "warning",
    agent("model: openai:gpt-4o", "limits: { max_cost: 1 }"),
    agent("model: openai:gpt-5", "limits: { max_cost: 1 }"),
  ],
  [
    "unknown-variable",
    "warning",
    agent(`model: demo:writer, instructions: '\${vars.tone}'`),
    agent(`model: demo:writer, instructions: '\${vars.tone}'`, "vars: { tone: calm }"),
  ],
  ["unknown-variable", "error", branch("vars.limt == 1"), branch("vars.limit == 1")],
  ["unknown-variable", "error", agent(`model: '\${HOME}'`), agent(`model: '\${vars.m}'`, "vars: { m: demo:x }")],
  ["invalid-condition", "error", branch("input = 'a'"), branch("input == 'a'")],
  ["invalid-condition", "error", branch("matches(input, '(')"), branch("matches(input, '()')")],
  ["invalid-condition", "error", branch(""), branch("true")],
  [
    "invalid-schema",
    "error",
    agent("model: demo:writer, output_schema: { type: text }"),
    agent("model: demo:writer, output_schema: { type: string }"),
  ],
  ["refused-value", "warning", agent("model: openai:gpt-5, temperature: 1"), agent("model: openai:gpt-5")],
  // the file
  ["yaml-syntax", "error", `${flow("a", "a")}vars: { x: [ }\n`, `${flow("a", "a")}vars: { x: 1 }\n`],
  ["invalid-value", "error", agent("model: demo:writer, max_steps: many"), agent("model: demo:writer, max_steps: 2")],
  [
    "invalid-value",
    "error",
    agent("model: demo:writer, max_steps: 1001"),
    agent("model: demo:writer, max_steps: 1000"),
  ],
  [
    "invalid-value",
    "error",
    agent("model: demo:writer, tool_calls: serial"),
    agent("model: demo:writer, tool_calls: sequential"),
  ],
  ["invalid-value", "error", agent("model: demo:writer, on_limit: 5"), agent("model: demo:writer, on_limit: answer")],
  ["unknown-key", "warning", agent("model: demo:writer, modle: x"), agent("model: demo:writer")],
  ["too-large", "error", `${flow("a", "a")}# ${"x".repeat(2_000_000)}\n`, `${flow("a", "a")}# x\n`],
];

/** Codes of refused edits: no flow file has them. */
const editCodes: readonly ProblemCode[] = ["unsupported"];

describe("every problem code", () => {
  it("is in this list, so that a new code needs a flow that has it", () => {
    expect([...new Set([...cases.map(([code]) => code), ...editCodes])].sort()).toEqual([...problemCodes].sort());
  });

  it.each(
    cases.map(([code, severity, wrong, right], index) => ({
      title: `${index + 1} ${code}`,
      code,
      severity,
      wrong,
      right,
    })),
  )(
    "$title ($severity) is found in the wrong file and not in the corrected one",
    ({ code, severity, wrong, right }) => {
      const problem = problemsOf(wrong).find((candidate) => candidate.code === code);
      expect(problem?.severity).toBe(severity);
      expect(problem?.message).toMatch(/[.?)…}]$/);
      expect(problemsOf(right)).toEqual([]);
    },
  );

  it.each(cases.filter(([, , wrong]) => wrong.length < 10_000))(
    "%s (%s) has a range inside the file, and nodes of the flow",
    (code, _, wrong) => {
      for (const { range } of problemsOf(wrong).filter((problem) => problem.code === code)) {
        expect(range?.from ?? 0).toBeGreaterThanOrEqual(0);
        expect(range?.to ?? 0).toBeLessThanOrEqual(wrong.length);
        expect(range?.from ?? 0).toBeLessThanOrEqual(range?.to ?? 0);
      }
    },
  );

  it("that has a fix is gone once the fix is applied", () => {
    const fixed = cases.flatMap(([code, , wrong]) => {
      const problem = problemsOf(wrong).find((candidate) => candidate.code === code && candidate.fix);
      if (!problem?.fix) return [];
      const text = applyChanges(wrong, problem.fix.changes);
      expect(problemsOf(text).filter(({ message }) => message === problem.message)).toEqual([]);
      return [code];
    });
    expect(new Set(fixed).size).toBeGreaterThan(9);
  });
});

describe("severities", () => {
  const byCode = (code: ProblemCode) => problemsOf(cases.find(([candidate]) => candidate === code)?.[2] ?? "");

  it("errors block a run, warnings do not", () => {
    expect(hasErrors(byCode("missing-model"))).toBe(true);
    expect(runBlockersOf(byCode("missing-model")).map(({ code }) => code)).toEqual(["missing-model"]);
    expect(hasErrors(byCode("unknown-key"))).toBe(false);
    expect(runBlockersOf(byCode("unknown-key"))).toEqual([]);
  });

  it("an empty flow is no error, and yet cannot run", () => {
    expect(errorsOf(problemsOf(""))).toEqual([]);
    expect(runBlockersOf(problemsOf("")).map(({ code }) => code)).toEqual(["no-agents"]);
  });
});
