import { describe, expect, it } from "vitest";
import { emptyLayout } from "../../flow/edit";
import { applyChanges } from "../../flow/text-change";
import { applyEdit } from "../apply-edit";
import { readSource } from "../read-source";

const agents = 'agents:\n  alpha: { model: "demo:x" }\n  beta: { model: "demo:x" }\n';
const offer = { tools: ["calculator"] };

/** Texts with the range of their only problem between « and ». */
const cases: [title: string, code: string, text: string][] = [
  ["an unknown section", "unknown-key", `${agents}«agent»: {}\nswarm: { flow: alpha >> beta }\n`],
  ["an unknown field of an agent", "unknown-key", "agents:\n  a: { «modle»: x, model: demo:x }\nswarm: { flow: a }\n"],
  ["an unknown field of the root swarm", "unknown-key", `${agents}swarm:\n  flow: alpha >> beta\n  «separater»: x\n`],
  [
    "an unknown field of a group",
    "unknown-key",
    `${agents}groups:\n  g: { type: parallel, flow: alpha | beta, «mode»: x }\nswarm: { flow: g }\n`,
  ],
  ["an unknown limit", "unknown-key", `${agents}limits: { «tokens»: 5 }\nswarm: { flow: alpha >> beta }\n`],
  ["an agent that is there twice", "invalid-value", `${agents}  «alpha»: {}\nswarm: { flow: alpha >> beta }\n`],
  [
    "a field that is there twice",
    "invalid-value",
    "agents:\n  a: { model: demo:x, «model»: demo:y }\nswarm: { flow: a }\n",
  ],
  [
    "a section that is there twice",
    "invalid-value",
    `${agents}swarm: { flow: alpha >> beta }\n«swarm»: { flow: beta }\n`,
  ],
  [
    "a number that is none",
    "invalid-value",
    "agents:\n  a: { model: demo:x, max_steps: «many» }\nswarm: { flow: a }\n",
  ],
  [
    "a number that is too large",
    "invalid-value",
    "agents:\n  a:\n    model: demo:x\n    max_steps: «1001» # at most 1000\nswarm: { flow: a }\n",
  ],
  [
    "a limit that is no number",
    "invalid-value",
    `${agents}limits:\n  max_tokens: «[1]»\nswarm: { flow: alpha >> beta }\n`,
  ],
  ["a list where a text is expected", "invalid-value", `name: «[a]»\n${agents}swarm: { flow: alpha >> beta }\n`],
  ["a text where a mapping is expected", "invalid-value", `${agents}limits: «text»\nswarm: { flow: alpha >> beta }\n`],
  ["a type that is none", "invalid-value", `${agents}swarm: { type: «workflw», flow: alpha >> beta }\n`],
  [
    "a link that is no pair",
    "invalid-value",
    `${agents}swarm:\n  type: handoff\n  agents: [alpha, beta]\n  edges: [[alpha, beta], «[alpha]»]\n`,
  ],
  ["a member that is no name", "invalid-value", `${agents}swarm:\n  type: team\n  agents: [alpha, beta, «[x]»]\n`],
  ["a name in a text", "unknown-name", `${agents}swarm: { flow: alpha >> beta >> «gama» }\n`],
  ["a name in a quoted text", "unknown-name", `${agents}swarm: { flow: 'alpha >> beta >> «"it''s"»' }\n`],
  ["a name in a folded text", "unknown-name", `${agents}swarm:\n  flow: >-\n    alpha >>\n    beta >>\n    «gama»\n`],
  [
    "a name in a list",
    "unknown-name",
    `${agents}swarm:\n  type: team\n  agents:\n    - alpha\n    - «gama»\n    - beta\n`,
  ],
  [
    "an unknown tool",
    "unknown-tool",
    "agents:\n  a:\n    model: demo:x\n    tools:\n      - calculator\n      - «calculater»\nswarm: { flow: a }\n",
  ],
  [
    "a look-up without a variable",
    "unknown-variable",
    `agents:\n  a:\n    model: demo:x\n    description: |\n      The tone\n      is \${vars.«tone»}.\nswarm: { flow: a }\n`,
  ],
  [
    "a variable that looks up another",
    "unknown-variable",
    `vars:\n  a: x\n  b: «"\${vars.a}"»\n${agents}swarm: { flow: alpha >> beta }\n`,
  ],
  [
    "an agent beside the flow",
    "not-reached",
    `${agents}  «gamma»: { model: demo:x }\nswarm: { flow: alpha >> beta }\n`,
  ],
  [
    "a condition",
    "unbalanced-parenthesis",
    `${agents}branches:\n  c: { condition: 'contains«(»input, "x"', if_true: alpha }\nswarm: { flow: c >> beta }\n`,
  ],
];

const marks = /[«»]/g;
const unmark = (text: string) => ({
  text: text.replaceAll(marks, ""),
  marked: text.slice(text.indexOf("«") + 1, text.indexOf("»")),
  offset: text.indexOf("«"),
});

const forms: [form: string, convert: (text: string) => string][] = [
  ["", (text) => text],
  [" with Windows line ends", (text) => text.replaceAll("\n", "\r\n")],
  [" after a comment", (text) => `# first\n\n${text}`],
  [" read as a whole", (text) => `%YAML 1.2\n---\n${text}`],
  [" without a last line end", (text) => text.trimEnd()],
];

describe("the only problem of a file", () => {
  it.each(
    cases.flatMap(([title, code, text]) => forms.map(([form, convert]) => [`${title}${form}`, code, convert(text)])),
  )("is at %s", (_, code, markedText) => {
    const { text, marked, offset } = unmark(markedText);
    const problems = readSource(text, offer).problems.filter(
      (problem) => problem.severity === "error" || problem.code === code,
    );
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    const { from: start, to: end } = problems[0]?.range ?? { from: -1, to: -1 };
    expect([start, text.slice(start, end)]).toEqual([offset, marked]);
  });

  it.each(cases)("%s has moved with its line when the text above it grows", (_title, _code, markedText) => {
    const { text } = unmark(markedText);
    const before = readSource(text, offer);
    const longer = text.replace("agents:\n", "agents:\n  new: { model: demo:x, description: a new one above }\n");
    const after = readSource(longer, offer, before);
    expect(after.problems).toEqual(readSource(longer, offer).problems);
  });
});

describe("the fix of a problem", () => {
  it.each<[string, string, string]>([
    [
      "a tool in a list",
      "agents:\n  a: { model: demo:x, tools: [calculater] }\nswarm: { flow: a }\n",
      "tools: [calculator]",
    ],
    [
      "a look-up",
      `vars: { tone: x }\nagents:\n  a: { model: demo:x, description: 'It is \${vars.tne}' }\nswarm: { flow: a }\n`,
      `'It is \${vars.tone}'`,
    ],
  ])("of %s leaves no problem", (_, text, expected) => {
    const [problem] = readSource(text, offer).problems.filter(({ fix }) => fix);
    const mended = applyChanges(text, problem?.fix?.changes ?? []);
    expect(mended).toContain(expected);
    expect(readSource(mended, offer).problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("a value that is none of the few of a field", () => {
  it.each([
    ["tool_calls", "paralel", ["parallel", "sequential"]],
    ["tool_calls", "true", ["sequential", "parallel"]],
    ["on_limit", "[answer]", ["answer", "fail"]],
  ])("%s: %s can be replaced by each of them, the likeliest first", (field, written, values) => {
    const text = `agents:\n  a: { model: demo:x, ${field}: ${written} } # mine\nswarm: { flow: a }\n`;
    const document = readSource(text);
    const [problem] = document.problems;
    expect(problem).toMatchObject({ code: "invalid-value", severity: "error" });
    expect(text.slice(problem?.range?.from, problem?.range?.to)).toBe(written);
    expect(problem?.message).toContain(`\`${field}\` of agent "a" must be one of`);
    expect(problem?.repairs?.map(({ title }) => title)).toEqual(values.map((value) => `Write ${value}`));
    for (const [index, { edit }] of (problem?.repairs ?? []).entries()) {
      const result = applyEdit(document, emptyLayout, edit);
      const repaired = applyChanges(text, result.ok ? result.changes : []);
      expect(repaired).toBe(text.replace(written, values[index] ?? ""));
      expect(readSource(repaired).problems).toEqual([]);
    }
  });
});
