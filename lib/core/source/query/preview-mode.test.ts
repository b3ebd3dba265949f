import { describe, expect, it } from "vitest";
import { readSource } from "../read-source";
import { previewMode } from "./preview-mode";

const agents = `agents:
  a: { model: "demo:a" }
  b: { model: "demo:b" }
  c: { model: "demo:c" } # last
`;
const preview = (swarm: string, type: "workflow" | "handoff" | "team" | "orchestrate") => {
  const found = previewMode(readSource(agents + swarm), { type: "root" }, type);
  if (!found.ok) throw new Error(found.message);
  return found;
};
const linkChanges = (swarm: string, type: "workflow" | "handoff" | "team" | "orchestrate"): string[] =>
  preview(swarm, type).links.map(({ from, to, before = "-", after = "-" }) => `${from} ${to}: ${before} > ${after}`);

describe("previewMode", () => {
  it("reports that steps become handoffs", () => {
    const swarm = "swarm:\n  type: workflow\n  flow: a >> (b | c) # order\n";
    expect(linkChanges(swarm, "handoff")).toEqual(["a b: step > handoff", "a c: step > handoff"]);
  });

  it("reports which steps go when a lead takes over, and which delegations come", () => {
    expect(linkChanges("swarm: { type: workflow, flow: a >> b >> c }\n", "team")).toEqual([
      "a b: step > delegation",
      "b c: step > -",
      "a c: - > delegation",
    ]);
    expect(linkChanges("swarm: { type: handoff, agents: [a, b], edges: [[b, a]] }\n", "orchestrate")).toEqual([
      "b a: handoff > -",
      "a b: - > spawn",
    ]);
  });

  it("gives the text as it would be, and touches nothing but the swarm", () => {
    const { text } = preview("swarm:\n  type: workflow\n  flow: a >> b >> c\n", "team");
    expect(text).toBe(`${agents}swarm:\n  type: team\n  agents: [a, b, c]\n`);
  });

  it("works for nested swarms, and reports what prevents it", () => {
    const nested = readSource(`${agents}swarms:\n  duo: { type: workflow, flow: a >> b }\nswarm: { flow: duo >> c }\n`);
    expect(previewMode(nested, { type: "swarm", name: "duo" }, "handoff")).toMatchObject({
      ok: true,
      links: [{ from: "a", to: "b", before: "step", after: "handoff" }],
    });
    expect(previewMode(nested, { type: "swarm", name: "trio" }, "handoff")).toMatchObject({ ok: false });
  });
});
