import { describe, expect, it } from "vitest";
import type { Edit } from "../../flow/edit";
import { longestFilled } from "../../flow/field-variables";
import { edited } from "../edit/edits.arbitrary";
import { exportFlow } from "../formats/export/export-flow";
import { importFlow } from "../formats/import/import-flow";
import { copyFragment } from "../fragment/copy-fragment";
import { searchFlow, toFinder } from "../query/search-flow";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { plain } from "./source.arbitrary";

const root = { type: "root" } as const;
const quickstart = `# Orbiter's form
vars:
  model: "openai:gpt-4o-mini"
  n: 3
  warm: 0.5
  tone: kind
limits: { max_seconds: "\${vars.n}" }
agents:
  a:
    model: "\${vars.model}"
    fallback_model: demo:\${vars.tone}
    description: A \${vars.tone} one, \${vars.n} times.
    instructions: "Be \${vars.tone}, see \${input}."
    max_steps: "\${vars.n}" # few
    max_retries: \${vars.n}
    temperature: '\${vars.warm}'
  b: { model: "\${vars.model}", use_history: true }
groups:
  g: { flow: "a | b", separator: "\\n\${vars.tone}\\n" }
routers:
  r: { model: "\${vars.model}", instructions: "\${vars.tone}", lanes: { x: a } }
loops:
  l: { body: b, count: "\${vars.n}", limit: "\${vars.n}" }
approvals:
  ok: { message: "\${vars.tone}?", timeout_seconds: "\${vars.n}" }
swarms:
  desk: { type: handoff, agents: [a, b], edges: [[a, b]], max_handoffs: "\${vars.n}" }
swarm: { flow: g >> r >> l >> ok >> desk }
`;

const agentOf = (text: string, name = "a") => readSource(text).flow.agents.get(name);
const problemsOf = (text: string) =>
  readSource(text).problems.map(({ severity, code, range }) => [severity, code, text.slice(range?.from, range?.to)]);

describe("look-ups of variables", () => {
  it("come to their values in every text and number of an agent; a text that is one look-up takes the type", () => {
    expect(readSource(quickstart).problems).toEqual([]);
    expect(agentOf(quickstart)).toMatchObject({
      model: "openai:gpt-4o-mini",
      fallback_model: "demo:kind",
      description: "A kind one, 3 times.",
      instructions: `Be \${vars.tone}, see \${input}.`,
      max_steps: 3,
      max_retries: 3,
      temperature: 0.5,
    });
  });

  it("also in groups, swarms, controls and limits", () => {
    const { flow } = readSource(quickstart);
    expect(flow.groups.get("g")?.separator).toBe("\nkind\n");
    expect(flow.swarms.get("desk")?.max_handoffs).toBe(3);
    expect(flow.controls.get("r")).toMatchObject({ model: "openai:gpt-4o-mini" });
    expect(flow.controls.get("l")).toMatchObject({ count: 3, limit: 3 });
    expect(flow.controls.get("ok")).toMatchObject({ message: "kind?", timeout_seconds: 3 });
    expect(flow.limits.max_seconds).toBe(3);
  });

  it("stay in the file: what is written reads the same, and is written the same again", () => {
    const { flow } = readSource(quickstart);
    const text = writeSource(flow);
    expect(text.match(/\$\{vars\./g)).toHaveLength(quickstart.match(/\$\{vars\./g)?.length ?? 0);
    expect(plain(readSource(text).flow)).toEqual(plain(flow));
    expect(writeSource(readSource(text).flow)).toBe(text);
    expect(exportFlow({ text: quickstart, flow }, "yaml").text).toBe(quickstart);
    expect(plain(readSource(exportFlow({ text: quickstart, flow }, "json").text).flow)).toEqual(plain(flow));
  });

  it("are written out for Orbiter's constructors, with a note", () => {
    const { flow } = readSource(quickstart);
    const { text, notes } = exportFlow({ text: quickstart, flow }, "python");
    expect(text).toContain('model="openai:gpt-4o-mini"');
    expect(text).toContain("max_steps=3");
    expect(notes.join()).toContain("Variables are written out");
  });

  it("follow a change of a variable, also where the rest is not read again", () => {
    const before = readSource(quickstart);
    for (const [from, to, model] of [
      ["openai:gpt-4o-mini", "demo:writer", "demo:writer"],
      ['  model: "openai:gpt-4o-mini"\n', "", undefined],
    ] as const) {
      const text = quickstart.replace(from, to);
      const after = readSource(text, undefined, before);
      expect(after.flow.agents.get("a")?.model).toBe(model);
      expect(plain(after.flow)).toEqual(plain(readSource(text).flow));
      expect(plain(readSource(quickstart, undefined, after).flow)).toEqual(plain(before.flow));
    }
  });

  it.each([
    ["a model", `model: "\${vars.modl}"`, ["error", "unknown-variable", "modl"]],
    ["a number", `model: demo:x, max_steps: "\${vars.nn}"`, ["error", "unknown-variable", "nn"]],
    ["a description", `model: demo:x, description: "a \${vars.modl} b"`, ["warning", "unknown-variable", "modl"]],
    ["the wrong type", `model: demo:x, max_steps: "\${vars.model}"`, ["error", "invalid-value", `"\${vars.model}"`]],
    ["out of bounds", `model: demo:x, temperature: "\${vars.n}"`, ["error", "invalid-value", `"\${vars.n}"`]],
    ["the environment", `model: "\${MODEL}"`, ["error", "unknown-variable", `"\${MODEL}"`]],
  ])("of a missing or wrong value are a problem at their place: %s", (_, fields, expected) => {
    const text = `vars: { model: "demo:x", n: 3 }\nagents:\n  a: { ${fields} }\nswarm: { flow: a }\n`;
    expect(problemsOf(text)).toEqual([expected]);
    expect(writeSource(readSource(text).flow)).toContain("${");
  });

  it("know the variables of now, also where only these changed", () => {
    const text = (name: string) =>
      `vars:\n  ${name}: "demo:x"\nagents:\n  a:\n    model: "\${vars.modl}"\nswarm: { flow: a }\n`;
    const before = readSource(text("model"));
    expect(before.problems[0]?.fix?.title).toBe("Write model");
    expect(readSource(text("modal"), undefined, before).problems[0]?.fix?.title).toBe("Write modal");
  });

  it.each([
    ["instructions", `agents:\n  a: { model: "demo:x", instructions: "\${vars.tone}" }\nswarm: { flow: a }\n`],
    ["a description", `agents:\n  a: { model: "demo:x", description: "\${vars.tone}" }\nswarm: { flow: a }\n`],
    [
      "a condition",
      `agents:\n  a: { model: "demo:x" }\nbranches:\n  b: { condition: vars.tone == "x", if_true: a }\nswarm: { flow: b }\n`,
    ],
  ])("are added where they are missing: %s", (_, text) => {
    const [repair] = readSource(text).problems.flatMap(({ repairs = [] }) => repairs);
    expect(repair?.title).toBe("Add variable tone");
    const mended = repair ? edited(text, repair.edit) : text;
    expect(mended).toContain("tone: ");
    expect(problemsOf(mended)).toEqual([]);
  });

  it("are found missing in bounded time", () => {
    const lines = (count: number, line: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => line(i)).join("\n");
    const text = `vars:\n${lines(10_000, (i) => `  name${i}: 1`)}\nagents:\n${lines(10_000, (i) => `  a${i}: { model: "\${vars.nome${i}x}" }`)}\n`;
    expect(readSource(text).problems.length).toBeGreaterThanOrEqual(200);
  });

  it("survive an export and import as JSON", () => {
    const { flow } = readSource(quickstart);
    const made = importFlow(exportFlow({ text: quickstart, flow }, "json").text, "json");
    expect(made.problems).toEqual([]);
    expect(plain(readSource(made.source).flow)).toEqual(plain(flow));
  });

  it("offer the nearest name as a fix, in whatever quotes", () => {
    for (const quoted of [`"\${vars.modl}"`, `'\${vars.modl}'`, `\${vars.modl}`]) {
      const text = `vars: { model: "demo:x" }\nagents:\n  a:\n    model: ${quoted}\nswarm: { flow: a }\n`;
      const [problem] = readSource(text).problems;
      expect(problem?.message).toContain("Did you mean model?");
      const [change] = problem?.fix?.changes ?? [];
      const fixed = text.slice(0, change?.from) + change?.insert + text.slice(change?.to);
      expect(readSource(fixed).problems).toEqual([]);
      expect(agentOf(fixed)?.model).toBe("demo:x");
    }
  });

  it("end at variables that name each other", () => {
    const text = `vars: { a: "\${vars.b}", b: "\${vars.a}", c: "\${vars.c}" }\nagents:\n  a: { model: "\${vars.a}" }\nswarm: { flow: a }\n`;
    expect(problemsOf(text).map(([severity, code]) => `${severity} ${code}`)).toEqual([
      ...Array.from({ length: 3 }, () => "warning unknown-variable"),
      "error unknown-variable",
    ]);
  });

  it("make no text without end", () => {
    const look = `\${vars.x}`.repeat(20);
    const text = `vars: { x: "${"x".repeat(1000)}" }\nagents:\n  a: { model: demo:x, description: "${look}" }\nswarm: { flow: a }\n`;
    expect(problemsOf(text)).toMatchObject([["error", "too-large", expect.any(String)]]);
    expect(agentOf(text)?.description?.length).toBeLessThan(longestFilled);
  });

  it("take nothing from the prototypes of objects", () => {
    const text = `agents:\n  a: { model: "\${vars.constructor}", description: "\${vars.__proto__}" }\nswarm: { flow: a }\n`;
    expect(problemsOf(text).map(([, code]) => code)).toEqual(["unknown-variable", "unknown-variable"]);
  });
});

describe("edits of fields that look up variables", () => {
  const set = (field: "model" | "max_steps", value?: string | number): Edit => ({
    type: "set-agent-field",
    name: "a",
    field,
    ...(value !== undefined && { value }),
  });

  it("set a value, another look-up, or nothing; every other byte stays", () => {
    expect(edited(quickstart, set("max_steps", 7))).toBe(quickstart.replace(`max_steps: "\${vars.n}"`, "max_steps: 7"));
    const other = edited(quickstart, set("model", `demo:\${vars.tone}`));
    expect(other).toBe(quickstart.replace(`model: "\${vars.model}"`, `model: "demo:\${vars.tone}"`));
    expect(agentOf(other)?.model).toBe("demo:kind");
    expect(edited(quickstart, set("max_steps"))).toBe(quickstart.replace(`    max_steps: "\${vars.n}" # few\n`, ""));
    const limits = edited(quickstart, { type: "set-limit", field: "max_tokens", value: `\${vars.n}` });
    expect(readSource(limits).flow.limits).toMatchObject({ max_seconds: 3, max_tokens: 3 });
  });

  it("rename a variable wherever it is looked up", () => {
    const text = edited(quickstart, { type: "rename-var", from: "n", to: "count" });
    expect(text).toBe(quickstart.replaceAll("vars.n}", "vars.count}").replace("  n: 3", "  count: 3"));
    const model = edited(quickstart, { type: "rename-var", from: "model", to: "m 2" });
    expect(readSource(model).problems).toEqual([]);
    expect(plain(readSource(edited(model, { type: "rename-var", from: "m 2", to: "model" })).flow)).toEqual(
      plain(readSource(quickstart).flow),
    );
  });

  it("copy the variables along", () => {
    const fragment = copyFragment(readSource(quickstart), [{ scope: root, names: ["g", "l"] }]);
    expect([...readSource(fragment).flow.vars.keys()].toSorted()).toEqual(["model", "n", "tone", "warm"]);
    expect(readSource(fragment).problems).toEqual([]);
  });

  it("a search finds the look-up, not the value", () => {
    const { flow } = readSource(quickstart);
    const finder = toFinder({ text: "vars.model", matchCase: true, pattern: false });
    const hits = finder?.ok ? searchFlow(flow, finder.find, new Set(["models"])) : [];
    expect(hits.map(({ owner }) => owner)).toEqual(["a", "b", "r"]);
  });
});
