"use client";

import { findMisfits } from "@/lib/core/check/check-model-fit";
import type { AgentField, Edit } from "@/lib/core/flow/edit";
import type { Agent } from "@/lib/core/kinds/agent";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useModelOffer } from "../../../state/models/use-models";
import { useSession } from "../../../state/session-context";
import { Section } from "../fields/section";
import { SchemaField } from "../schema/schema-field";
import { takeTool } from "../tools/shared-tools";
import { ToolsField } from "../tools/tools-field";

/** What an agent can call, and the shape of its answer. */
export function AgentOutput({ agent, node }: { agent: Agent; node: ArrangedNode }) {
  const { actions } = useSession();
  const offer = useModelOffer(agent.model ?? "");
  const misfit = findMisfits(agent, agent.model ?? "").find(({ field }) => field === "tools");
  const set = (field: AgentField, value: Extract<Edit, { type: "set-agent-field" }>["value"]): void => {
    actions.edit({ type: "set-agent-field", name: agent.name, field, value });
  };
  const setTools = (tools: readonly string[]): void => {
    const removedTool = agent.tools.find((tool) => !tools.includes(tool));
    if (removedTool === undefined) set("tools", [...tools]);
    else actions.edit(...takeTool(agent, removedTool));
  };
  return (
    <>
      <ToolsField
        chosen={agent.tools}
        approved={agent.needs_approval}
        warning={misfit?.reason}
        onCommit={setTools}
        onApprove={(tools) => set("needs_approval", tools.length === 0 ? undefined : [...tools])}
      />
      <Section title={agent.output_schema ? "Structured output: on" : "Structured output"}>
        <SchemaField
          schema={agent.output_schema}
          warning={offer?.supports.structuredOutput === false ? `${offer.name} takes no schema.` : undefined}
          nodeKey={node.key}
          onCommit={(schema) => set("output_schema", schema)}
        />
      </Section>
    </>
  );
}
