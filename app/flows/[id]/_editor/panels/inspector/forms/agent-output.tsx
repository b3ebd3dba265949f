import type { JsonSchema } from "@/lib/core/flow/flow";
import type { Agent } from "@/lib/core/kinds/agent";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useModelOffer } from "../../../state/models/use-models";
import { useSession } from "../../../state/session-context";
import { setAgentField } from "../fields/agent-edits";
import { Segments } from "../fields/segments";
import { SchemaField } from "../schema/schema-field";
import { ToolsField } from "../tools/tools-field";

const firstSchema: JsonSchema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
const answers = [
  { value: "text", label: "Text" },
  { value: "schema", label: "JSON schema" },
] as const;

/** What an agent can call, and the shape of its answer. */
export function AgentOutput({ agent, node }: { agent: Agent; node: ArrangedNode }) {
  const { actions } = useSession();
  const { model = "", output_schema: schema } = agent;
  const offer = useModelOffer(model);
  const commit = (value: JsonSchema | undefined): boolean => actions.edit(setAgentField(agent, "output_schema", value));
  return (
    <>
      <ToolsField agent={agent} />
      <Segments
        label="Answer"
        value={schema ? "schema" : "text"}
        options={answers}
        onChange={(answer) => commit(answer === "schema" ? firstSchema : undefined)}
      />
      {schema && (
        <SchemaField
          schema={schema}
          warning={offer?.supports.structuredOutput === false ? `${offer.name} takes no schema.` : undefined}
          nodeKey={node.key}
          onCommit={commit}
        />
      )}
    </>
  );
}
