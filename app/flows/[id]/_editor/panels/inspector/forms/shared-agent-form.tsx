import type { AgentField, Edit } from "@/lib/core/flow/edit";
import { asWritten } from "@/lib/core/flow/field-variables";
import type { Agent } from "@/lib/core/kinds/agent";
import { useSession } from "../../../state/session-context";
import { type AgentNumber, limitOf, numbersFor, readNumber, type WrittenNumber } from "../fields/agent-numbers";
import { TextField } from "../fields/fields";
import { Section } from "../fields/section";
import { ModelField } from "../model/model-field";
import { SharedTools } from "../tools/shared-tools";

export function SharedAgentForm({ agents }: { agents: readonly Agent[] }) {
  const { actions } = useSession();
  const models = new Set(agents.map((agent) => asWritten(agent, "model", agent.model) ?? ""));
  const [firstAgent] = agents;
  const isShared = models.size === 1;
  const setAll = (field: AgentField, value: Extract<Edit, { type: "set-agent-field" }>["value"]): boolean =>
    actions.edit(...agents.map(({ name }) => ({ type: "set-agent-field" as const, name, field, value })));
  return (
    <section aria-label="All selected agents" className="grid gap-3">
      <ModelField
        model={(isShared && firstAgent?.model) || ""}
        written={isShared ? firstAgent?.written?.model : undefined}
        hint={models.size > 1 ? `${models.size} different models. A choice applies to all.` : "Applies to all."}
        onCommit={(text) => setAll("model", text === "" ? undefined : text)}
      />
      <SharedTools agents={agents} />
      <Section title="Limits of all agents">
        <div className="grid grid-cols-2 gap-3">
          {numbersFor(null).map((number) => (
            <SharedNumber
              key={number.field}
              agents={agents}
              number={number}
              onSet={(value) => setAll(number.field, value)}
            />
          ))}
        </div>
      </Section>
    </section>
  );
}

interface SharedNumberProps {
  agents: readonly Agent[];
  number: AgentNumber;
  /** Returns false, after a notification, when the value was rejected. */
  onSet(value: WrittenNumber): boolean;
}

function SharedNumber({ agents, number: { field, label, hint, placeholder }, onSet }: SharedNumberProps) {
  const limits = agents.map((agent) => limitOf(agent, field));
  const values = new Set(limits.map(({ value, written }) => written ?? value));
  const [shared] = values.size === 1 ? values : [];
  const commit = (text: string): string | boolean => {
    const read = readNumber(text);
    return read.ok ? onSet(read.value) : read.message;
  };
  return (
    <TextField
      text={{ label, hint }}
      binding={{ value: String(shared ?? ""), onCommit: commit }}
      onReset={[...values].some((value) => value !== undefined) ? () => commit("") : undefined}
      input={{ placeholder: values.size > 1 ? "mixed" : placeholder, inputMode: "decimal" }}
    />
  );
}
