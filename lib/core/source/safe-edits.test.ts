import { describe, expect, it } from "vitest";
import { type Edit, emptyLayout } from "../flow/edit";
import { namesOf } from "../flow/expression";
import { applyChanges } from "../flow/text-change";
import { applyEdit } from "./apply-edit";
import { readSource } from "./read-source";

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
    ["a link in a handoff swarm", handoff, { type: "connect", scope: root, from: "beta", to: "alpha" }, "unsupported"],
    [
      "deleting from a handoff swarm",
      handoff,
      { type: "delete-nodes", scope: root, names: ["beta"], declarations: true },
      "unsupported",
    ],
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
      "an agent behind nobody",
      `${agents}swarm: { flow: alpha }\n`,
      { type: "add-agent", name: "n", scope: root, after: "nobody" },
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
    ["an alias that stands for nothing", "agents: { alpha: *nope }\n"],
  ])("reports %s", (_, text) => expect(readSource(text).problems.map(({ code }) => code)).toContain("yaml-syntax"));

  it("follows every alias of a long file", () => {
    const names = Array.from({ length: 1500 }, (_, index) => `  a${index}: *x\n`);
    const { flow } = readSource(`vars: {}\nx: &x { model: 'demo:x' }\nagents:\n${names.join("")}`);
    expect([...flow.agents.values()].every(({ model }) => model === "demo:x")).toBe(true);
  });
});
