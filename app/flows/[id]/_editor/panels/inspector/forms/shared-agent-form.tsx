import { asWritten } from "@/lib/core/flow/field-variables";
import type { Agent } from "@/lib/core/kinds/agent";
import { useSession } from "../../../state/session-context";
import { setAgentField } from "../fields/agent-edits";
import { limitOf, numbersFor } from "../fields/agent-numbers";
import { LimitField } from "../fields/limit-field";
import { Section } from "../fields/section";
import { ModelField } from "../model/model-field";
import { SharedTools } from "../tools/shared-tools";

export function SharedAgentForm({ agents }: { agents: readonly Agent[] }) {
  const { actions } = useSession();
  const models = new Set(agents.map((agent) => asWritten(agent, "model", agent.model) ?? ""));
  const [firstAgent] = agents;
  const isShared = models.size === 1;
  return (
    <section aria-label="All selected agents" className="grid gap-3">
      <ModelField
        model={(isShared && firstAgent?.model) || ""}
        written={isShared ? firstAgent?.written?.model : undefined}
        hint={models.size > 1 ? `${models.size} different models. A choice applies to all.` : "Applies to all."}
        onCommit={(text) => actions.edit(...agents.map((agent) => setAgentField(agent, "model", text || undefined)))}
      />
      <SharedTools agents={agents} />
      <Section title="Limits of all agents">
        <div className="grid grid-cols-2 gap-3">
          {numbersFor(null).map((number) => (
            <LimitField
              key={number.field}
              {...number}
              limit={limitOf(agents, number.field)}
              toEdits={(value) => agents.map((agent) => setAgentField(agent, number.field, value))}
            />
          ))}
        </div>
      </Section>
    </section>
  );
}
