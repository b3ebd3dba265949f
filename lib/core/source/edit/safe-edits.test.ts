import { describe, expect, it } from "vitest";
import { type Edit, emptyLayout } from "../../flow/edit";
import { namesOf } from "../../flow/expression";
import { applyChanges } from "../../flow/text-change";
import { applyEdit } from "../apply-edit";
import { readSource } from "../read-source";

const root = { type: "root" } as const;
const agents = "agents:\n  alpha: { model: 'demo:x' }\n  beta: { model: 'demo:x' }\n";
const apply = (text: string, edit: Edit): string => {
  const result = applyEdit(readSource(text), emptyLayout, edit);
  return result.ok ? applyChanges(text, result.changes) : result.problem.code;
};

describe("rename", () => {
  const flows = ["alpha >> beta", '"alpha >> beta"', "'alpha >> beta'", "|\n    alpha >>\n    beta"];
  const names = [
    "my agent",
    "a|b",
    "x >> y",
    "(q)",
    "#b",
    "k: v",
    "- x",
    "'s",
    '"d"',
    "b\\s",
    "true",
    "{x}",
    "*n",
    "x:",
  ];
  it.each(flows.flatMap((flow) => names.map((name) => [flow, name])))("keeps the file whole: %j to %j", (flow, to) => {
    const text = apply(`${agents}swarm:\n  flow: ${flow}\n  separator: x # keep\n`, {
      type: "rename",
      from: "alpha",
      to,
    });
    const { broken, flow: read } = readSource(text);
    expect(broken).toBe(false);
    expect([...read.agents.keys()]).toEqual([to, "beta"]);
    expect(read.swarm.flow && namesOf(read.swarm.flow).map(({ name }) => name)).toEqual([to, "beta"]);
    expect(text).toContain("\n  separator: x # keep\n");
  });

  it("keeps comments inside the flow text", () => {
    const text = apply(`${agents}swarm:\n  flow: |\n    # why\n    alpha >> beta\n`, {
      type: "rename",
      from: "alpha",
      to: "a|b",
    });
    expect(text).toContain('    # why\n    "a|b" >> beta\n');
  });
});

describe("edits that a file cannot take", () => {
  const handoff = `${agents}swarm:\n  type: handoff\n  agents: [alpha, beta]\n  edges: [[alpha, beta]]\n`;
  const aliased = "agents:\n  alpha: &a { model: 'demo:x' }\n  beta: *a\nswarm: { flow: alpha >> beta }\n";
  it.each<[string, string, Edit, string]>([
    [
      "wrapping in a handoff swarm",
      handoff,
      { type: "wrap-serial", scope: root, names: ["alpha", "beta"] },
      "unsupported",
    ],
    ["the same handoff twice", handoff, { type: "connect", scope: root, from: "alpha", to: "beta" }, "duplicate-name"],
    [
      "a field of an aliased agent",
      aliased,
      { type: "set-agent-field", name: "beta", field: "max_steps", value: 3 },
      "unsupported",
    ],
    [
      "deleting what others repeat",
      aliased,
      { type: "delete-nodes", scope: root, names: ["alpha"], declarations: true },
      "unsupported",
    ],
    [
      "an agent after an unknown name",
      `${agents}swarm: { flow: alpha }\n`,
      { type: "add-agent", name: "n", scope: root, after: "ghost" },
      "unknown-name",
    ],
  ])("refuses %s", (_, text, edit, code) => expect(apply(text, edit)).toBe(code));

  it("writes a separator into a file without `swarm:`", () =>
    expect(readSource(apply(agents, { type: "set-separator", scope: root, separator: "-" })).flow.swarm.separator).toBe(
      "-",
    ));
});

describe("reading", () => {
  it.each([
    ["a second document", `${agents}---\nname: x\n`],
    ["an alias without an anchor", "agents: { alpha: *nope }\n"],
  ])("reports %s", (_, text) => expect(readSource(text).problems.map(({ code }) => code)).toContain("yaml-syntax"));

  it("follows every alias of a long file", () => {
    const names = Array.from({ length: 1500 }, (_, index) => `  a${index}: *x\n`);
    const { flow } = readSource(`vars: {}\nx: &x { model: 'demo:x' }\nagents:\n${names.join("")}`);
    expect([...flow.agents.values()].every(({ model }) => model === "demo:x")).toBe(true);
  });
});

describe("texts in blocks", () => {
  const blocks = [
    ["clipped", "|\n      one\n      two\n", "one\ntwo\n"],
    ["stripped", "|-\n      one\n      two\n", "one\ntwo"],
    ["kept", "|+\n      one\n\n\n", "one\n\n\n"],
    ["folded", ">-\n      one\n      two\n", "one two"],
    ["with spaces at its end", "|-\n      one\n      two  \n", "one\ntwo  "],
    ["with empty lines after it", "|\n      one\n\n   \n\n", "one\n"],
    ["with its indent written", "|2-\n        one\n      two\n", "  one\ntwo"],
  ] as const;
  const edits: [string, Edit][] = [
    ["a field is added", { type: "set-agent-field", name: "alpha", field: "max_steps", value: 7 }],
    ["the next agent goes", { type: "delete-nodes", scope: root, names: ["beta"], declarations: true }],
    ["an agent comes", { type: "add-agent", name: "gamma", model: "demo:x", scope: root, after: "beta" }],
    ["the next agent is renamed", { type: "rename", from: "beta", to: "- b" }],
  ];
  const cases = blocks.flatMap(([style, block, value]) =>
    edits.flatMap(([what, edit]) => [true, false].map((last) => [style, what, block, value, edit, last] as const)),
  );
  it.each(cases)("%s: stay when %s", (_style, _what, block, value, edit, last) => {
    const alpha = `  alpha:\n    instructions: ${block}`;
    const beta = "  beta: { model: 'demo:x' }\n";
    const text = `agents:\n${last ? beta + alpha : alpha + beta}swarm:\n  flow: alpha >> beta\n`;
    expect(readSource(text).flow.agents.get("alpha")?.instructions).toBe(value);
    const after = apply(text, edit);
    expect(readSource(after).broken).toBe(false);
    expect(readSource(after).flow.agents.get("alpha")?.instructions).toBe(value);
  });

  it.each(blocks)("%s: are replaced whole", (_style, block) => {
    for (const value of ["new", "new\n", "new \nlines ", "\n\n", "a\n\n\n", " lead\nb"]) {
      const text = `agents:\n  alpha:\n    instructions: ${block}    max_steps: 7\n  beta: {}\nswarm:\n  flow: alpha >> beta\n`;
      const after = apply(text, { type: "set-agent-field", name: "alpha", field: "instructions", value });
      expect(readSource(after).flow.agents.get("alpha")).toMatchObject({ instructions: value, max_steps: 7 });
    }
  });
});

describe("comments and aliases beside a value", () => {
  const set = (text: string, value?: string): string =>
    apply(text, {
      type: "set-agent-field",
      name: "alpha",
      field: "instructions",
      ...(value === undefined ? {} : { value }),
    });
  const lines = (written: string): string =>
    `agents:\n  alpha:\n    instructions: ${written}\n    model: demo:x # last\nswarm:\n  flow: alpha\n`;

  it.each([
    ["short # why", "long\ntext", "|- # why\n      long\n      text"],
    ["| # why\n      long\n      text", "short", "|- # why\n      short"],
    ["|- # why\n      long\n      text", "a\nb\n", "| # why\n      a\n      b"],
    ["'short' # why", "it's", "'it''s' # why"],
    ["# why", "short", "short # why"],
    ["# why", "a\nb", "|- # why\n      a\n      b"],
    ["*t # why", "own", "own # why"],
  ])("%j set to %j is %j", (before, value, after) => {
    const shared = before.includes("*t") ? `vars: { t: &t shared }\n` : "";
    expect(set(shared + lines(before), value)).toBe(shared + lines(after));
    const windows = lines(before).replaceAll("\n", "\r\n");
    if (shared === "") expect(set(windows, value)).toBe(lines(after).replaceAll("\n", "\r\n"));
  });

  it("stay when braces on several lines grow or shrink", () => {
    const braces =
      "agents:\n  alpha: {\n    model: demo:x, # cheap\n    max_steps: 3 # few\n  }\nswarm: { flow: alpha }\n";
    const grown = set(braces, "Go.");
    expect(grown).toContain("    max_steps: 3, instructions: Go. # few\n  }");
    expect(set(grown)).toBe(braces);
  });

  it("are no end of braces", () => {
    const shared =
      "vars: { t: &t shared }\nagents:\n  alpha: { instructions: *t }\n  beta: { model: x, description: *t }\nswarm: { flow: alpha }\n";
    const more = apply(shared, { type: "set-agent-field", name: "alpha", field: "model", value: "demo:x" });
    expect(more).toContain("alpha: { instructions: *t, model: demo:x }");
    const less = apply(shared, { type: "set-agent-field", name: "beta", field: "description" });
    expect(less).toContain("beta: { model: x }");
  });

  it("stay in a file in braces, and where others repeat the text", () => {
    const inBraces = "{ agents: { alpha: { model: demo:x } } }\n";
    const separated = apply(inBraces, { type: "set-separator", scope: root, separator: "-" });
    expect(separated).toBe(
      '{ agents: { alpha: { model: demo:x } }, swarm: { type: workflow, flow: alpha, separator: "-" } }\n',
    );
    const anchored =
      "agents:\n  alpha: { instructions: &t Go., model: demo:x }\n  beta: { instructions: *t }\nswarm: { flow: alpha }\n";
    expect(apply(anchored, { type: "set-agent-field", name: "alpha", field: "instructions" })).toBe(
      "agents:\n  alpha: { model: demo:x }\n  beta: { instructions: Go. }\nswarm: { flow: alpha }\n",
    );
  });

  it("are no reason to change what repeats the text that ends in them", () => {
    const first = "agents:\n  alpha: &first\n    output_schema:\n      type: object\n      # more\n";
    const after = apply(`${first}  beta: *first\nswarm: { flow: alpha }\n`, {
      type: "set-agent-field",
      name: "alpha",
      field: "model",
      value: "demo:x",
    });
    expect(readSource(after).flow.agents.get("beta")?.model).toBeUndefined();
    expect(readSource(after).flow.agents.get("alpha")?.model).toBe("demo:x");
  });
});

describe("long mappings", () => {
  const schema = {
    type: "object",
    properties: { title: { type: "string" }, "a: b": { enum: ["x", "y z"] } },
    required: ["title"],
  };
  it("are on lines of their own in a file that is in blocks, and on one in braces", () => {
    const edit: Edit = { type: "set-agent-field", name: "alpha", field: "output_schema", value: schema };
    const text = apply("agents:\n  alpha:\n    model: demo:x\nswarm:\n  flow: alpha\n", edit);
    expect(text).toContain(
      `    output_schema:\n      type: object\n      properties:\n        title: { type: string }\n        "a: b": { enum: [x, y z] }\n      required: [title]\n`,
    );
    const braces = apply(agents, edit);
    expect(braces.split("\n")).toHaveLength(agents.split("\n").length);
    for (const one of [text, braces]) expect(readSource(one).flow.agents.get("alpha")?.output_schema).toEqual(schema);
  });
});
