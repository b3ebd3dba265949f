import type { Agent } from "@/lib/core/kinds/agent";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useModelOffer } from "../../../state/models/use-models";
import { useSession } from "../../../state/session-context";
import { setAgentField } from "../fields/agent-edits";
import { Section } from "../fields/section";
import { SchemaField } from "../schema/schema-field";
import { ToolsField } from "../tools/tools-field";

/** What an agent can call, and the shape of its answer. */
export function AgentOutput({ agent, node }: { agent: Agent; node: ArrangedNode }) {
  const { actions } = useSession();
  const { model = "", output_schema: schema } = agent;
  const offer = useModelOffer(model);
  return (
    <>
      <ToolsField agent={agent} />
      <Section title={schema ? "Structured output: on" : "Structured output"}>
        <SchemaField
          schema={schema}
          warning={offer?.supports.structuredOutput === false ? `${offer.name} takes no schema.` : undefined}
          nodeKey={node.key}
          onCommit={(value) => actions.edit(setAgentField(agent, "output_schema", value))}
        />
      </Section>
    </>
  );
}
