import type { AgentField, Edit } from "@/lib/core/flow/edit";
import { asWritten } from "@/lib/core/flow/field-variables";
import type { Agent } from "@/lib/core/kinds/agent";
import { writeAgents, writeFlow } from "./fragments";
import { kindStyles } from "./kind-styles";
import type { KindView } from "./kind-view";

const setText = (name: string, field: AgentField, text: string): Edit => ({
  type: "set-agent-field",
  name,
  field,
  value: text === "" ? undefined : text,
});

export const agentView: KindView<Agent> = {
  ...kindStyles.agent,
  toForm: (agent) => [
    {
      type: "model",
      value: agent.model,
      written: agent.written?.model,
      toEdit: (model) => setText(agent.name, "model", model),
    },
    {
      type: "line",
      label: "Description",
      value: asWritten(agent, "description", agent.description) ?? "",
      placeholder: "What it does, for the other agents.",
      toEdit: (text) => setText(agent.name, "description", text.trim()),
    },
    {
      type: "prompt",
      label: "Instructions",
      value: agent.instructions,
      placeholder: "What this agent does, and how.",
      toEdit: (text) => setText(agent.name, "instructions", text),
    },
    { type: "agent-output", agent },
    { type: "agent-limits", agent },
    { type: "links" },
  ],
  inserts: [
    {
      id: "agent",
      label: "Agent",
      description: "One model with instructions and tools",
      words: "step new",
      toFragment: (model) => writeAgents(["agent"], model) + writeFlow("agent"),
    },
    {
      id: "lanes",
      label: "Parallel lanes",
      description: "Two agents at once, outputs joined",
      words: "side by side fan out",
      toFragment: (model) => writeAgents(["lane", "lane_2"], model) + writeFlow("(lane | lane_2)"),
    },
  ],
};
