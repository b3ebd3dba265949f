import { Bot } from "lucide-react";
import type { AgentField, Edit } from "@/lib/core/flow/edit";
import { parseModel } from "@/lib/core/flow/model-name";
import type { Agent } from "@/lib/core/kinds/agent";
import { writeAgents, writeFlow } from "./fragments";
import type { KindView } from "./kind-view";

const setText = (name: string, field: AgentField, text: string): Edit => ({
  type: "set-agent-field",
  name,
  field,
  value: text === "" ? undefined : text,
});

export const agentView: KindView<Agent> = {
  label: "Agent",
  icon: Bot,
  hasColor: true,
  toCard({ model, tools }) {
    const { provider, name } = model ? parseModel(model) : { provider: "", name: "" };
    return {
      type: "agent-card",
      provider,
      model: name,
      tools: tools.slice(0, 3).join("\n"),
      moreTools: Math.max(0, tools.length - 3),
    };
  },
  toForm: (agent) => [
    {
      type: "model",
      value: agent.model,
      written: agent.written?.model,
      toEdit: (model) => setText(agent.name, "model", model),
    },
    {
      type: "prompt",
      label: "Instructions",
      value: agent.instructions,
      placeholder: "What this agent does, and how.",
      toEdit: (text) => setText(agent.name, "instructions", text),
    },
    { type: "agent-output", agent },
    { type: "links" },
    { type: "agent-limits", agent },
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
