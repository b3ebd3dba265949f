import { describe, expect, it } from "vitest";
import { readSource } from "../source/read-source";
import { checkSwarmMode } from "./check-swarm-mode";

import { rosterOf } from "./swarm-roster";

const agents =
  "agents: { a: { model: demo:x }, b: { model: demo:x }, c: { model: demo:x } }\ngroups: { g: { flow: b | c } }\n";
const check = (swarm: string, owner: string | null = null) => {
  const { flow } = readSource(`${agents}swarm: { ${swarm} }\n`);
  return checkSwarmMode(flow, flow.swarm, owner).map(({ severity, code, field }) => `${severity} ${code} ${field}`);
};

describe("checkSwarmMode", () => {
  it.each([
    ["flow: a >> b", []],
    ["type: handoff, agents: [a, b], edges: [[a, b]]", []],
    ["type: handoff, agents: [a]", []],
    ["type: handoff, flow: a >> b, edges: [[a, b]]", []],
    ["type: handoff, agents: []", ["error no-members agents"]],
    ["type: handoff, edges: [[a, b]]", []],
    ["type: handoff, agents: [a, b]", ["warning no-handoffs agents"]],
    ["type: handoff, agents: [a, b], edges: []", ["warning no-handoffs agents"]],
    ["type: handoff, agents: [a, b], edges: [[a, c], [c, a], [a, b]]", ["warning not-reached edges"]],
    ["type: handoff, agents: [g, a], edges: [[g, a]]", []],
    ["type: handoff, flow: (b | a) >> c, edges: [[a, c]]", ["warning invalid-value flow"]],
    ["type: team, agents: [a, b]", []],
    ["type: team, agents: [a]", ["error no-members agents"]],
    ["type: team, agents: [a, a]", ["error no-members agents"]],
    ["type: team, agents: [g, a]", ["error invalid-value agents"]],
    ["type: team, agents: [unknown, a]", []],
    ["type: team, flow: a >> b", []],
    ["type: team, flow: a | b", ["error no-members agents"]],
    ["type: team, flow: (a | b) >> c", ["warning invalid-value flow"]],
    ["type: orchestrate, agents: [a]", []],
    ["type: orchestrate, agents: [g]", ["error invalid-value agents"]],
  ])("judges { %s }", (swarm, expected) => expect(check(swarm)).toEqual(expected));

  it("names the swarm, the member and a correction", () => {
    const { flow } = readSource(`${agents}swarm: { type: handoff, agents: [a, b], edges: [[a, c]] }\n`);
    const [stranger] = checkSwarmMode(flow, flow.swarm, "desk");
    expect(stranger).toMatchObject({ field: "edges", reference: "c" });
    const [alone] = checkSwarmMode(flow, { ...flow.swarm, mode: "team", agents: ["a"] }, "desk");
    expect(alone?.message).toContain('Swarm "desk" is a team of one');
    const [silent] = checkSwarmMode(flow, { ...flow.swarm, edges: [] }, null);
    expect(silent?.message).toContain("edges: [[a, b]]");
  });
});

describe("rosterOf", () => {
  const roster = (swarm: string) => rosterOf(readSource(`${agents}swarm: { type: team, ${swarm} }\n`).flow.swarm);
  it.each([
    ["agents: [b, a, b]", ["b", "a"]],
    ["agents: [b], flow: a >> c", ["b"]],
    ["agents: []", []],
    ["flow: c >> a", ["c", "a"]],
    ["flow: (c | a) >> b", ["a", "c", "b"]],
    ["flow: ((c >> b) | a)", ["a", "c", "b"]],
    ["order: [b, a]", ["b", "a"]],
    ["edges: [[a, b]]", ["a", "b", "c"]],
    ["separator: x", ["a", "b", "c"]],
  ])("of { %s }", (swarm, expected) => expect(roster(swarm)).toEqual(expected));
});
