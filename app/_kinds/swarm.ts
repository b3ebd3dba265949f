import { ArrowRightLeft, Network, Users, Workflow } from "lucide-react";
import type { Swarm } from "@/lib/core/kinds/swarm";
import { writeAgents, writeFlow } from "./fragments";
import { kindStyles } from "./kind-styles";
import type { KindView } from "./kind-view";
import { toSeparatorField } from "./separator-field";

export const swarmView: KindView<Swarm> = {
  ...kindStyles.swarm,
  modes: {
    workflow: { label: "Swarm", icon: Workflow },
    handoff: { label: "Handoff swarm", short: "Handoff", icon: ArrowRightLeft },
    team: { label: "Team swarm", short: "Team", icon: Users },
    orchestrate: { label: "Orchestrating swarm", short: "Orchestrate", icon: Network },
  },
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
