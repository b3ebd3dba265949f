import { ArrowRightLeft, Boxes, Network, Users, Workflow } from "lucide-react";
import { type Swarm, swarmDefaults } from "@/lib/core/kinds/swarm";
import { writeAgents, writeFlow } from "./fragments";
import type { KindView } from "./kind-view";
import { toSeparatorField } from "./separator-field";

function describeLimit({ mode, max_handoffs: handoffs, max_concurrent: concurrent }: Swarm): string {
  if (mode === "handoff") return `at most ${handoffs ?? swarmDefaults.max_handoffs} handoffs`;
  return mode === "orchestrate" ? `${concurrent ?? swarmDefaults.max_concurrent} at a time` : "";
}

export const swarmView: KindView<Swarm> = {
  label: "Swarm",
  icon: Boxes,
  modes: {
    workflow: { label: "Swarm", icon: Workflow },
    handoff: { label: "Handoff swarm", icon: ArrowRightLeft },
    team: { label: "Team swarm", icon: Users },
    orchestrate: { label: "Orchestrating swarm", icon: Network },
  },
  toCard: (swarm) => ({ type: "frame", detail: describeLimit(swarm) }),
  toForm: (swarm) => [
    { type: "swarm-mode", swarm },
    ...(swarm.mode === "workflow" ? [toSeparatorField(swarm)] : []),
    { type: "links" },
    { type: "write-out" },
  ],
  inserts: [
    {
      id: "swarm",
      label: "Nested swarm",
      description: "A flow with its own history",
      words: "sub workflow",
      toFragment: (model) => `${writeAgents(["inner", "inner_2"], model)}swarms:
  swarm: { type: workflow, flow: inner >> inner_2 }
${writeFlow("swarm")}`,
    },
  ],
};
