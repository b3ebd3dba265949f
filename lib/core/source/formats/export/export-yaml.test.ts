import { describe, expect, it } from "vitest";
import { rosterOf } from "../../../kinds/swarm-roster";
import { readSource } from "../../read-source";
import { exportFlow } from "./export-flow";

const toYaml = (text: string): string => exportFlow(readSource(text), "yaml").text;

describe("yaml for Orbiter", () => {
  const agents =
    "agents:\n  worker: { model: demo:x } # first\n  lead: { model: demo:x }\n  spare: { model: demo:x }\n";
  it.each<[what: string, swarm: string, order: string]>([
    [
      "leads in a team",
      "swarm:\n  type: team\n  agents: [lead, worker] # both\n",
      "  agents: [lead, worker] # both\n  order: [lead, worker]\n",
    ],
    [
      "starts a handoff swarm",
      "swarm: { type: handoff, agents: [lead, worker], edges: [[lead, worker]] }\n",
      ", order: [lead, worker] }",
    ],
    [
      "leads in an older order",
      "swarm:\n  type: team\n  order: [worker, lead]\n  agents: [lead, worker]\n",
      "  order: [lead, worker]\n  agents",
    ],
  ])("holds the order of the agents: who %s", (_, swarm, order) => {
    const text = agents + swarm;
    const exported = toYaml(text);
    expect(exported).toContain(order);
    expect(exported).toContain(agents);
    expect(rosterOf(readSource(exported).flow.swarm)).toEqual(["lead", "worker"]);
    expect(toYaml(exported)).toBe(exported);
  });

  it.each([
    "swarm: { type: team, agents: [worker, lead, spare] }\n",
    "swarm: { type: team, flow: lead >> worker }\n",
    "swarm: { type: orchestrate, agents: [lead, worker] }\n",
    "swarm: { flow: lead >> worker }\n",
    "swarm: { type: team, agents: [lead, g] }\ngroups: { g: { flow: worker | spare } }\n",
  ])("is the text itself where Orbiter reads the same, or could not read it anyway: %s", (swarm) => {
    expect(toYaml(agents + swarm)).toBe(agents + swarm);
  });
});
