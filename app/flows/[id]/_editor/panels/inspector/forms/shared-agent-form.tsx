"use client";

import { useState } from "react";
import type { AgentField, Edit } from "@/lib/core/flow/edit";
import { asWritten } from "@/lib/core/flow/field-variables";
import { type Agent, agentDefaults } from "@/lib/core/kinds/agent";
import { useSession } from "../../../state/session-context";
import { type AgentNumber, numbersFor, readNumber, type WrittenNumber } from "../fields/agent-numbers";
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
      <SharedTools agents={agents} onEdit={actions.edit} />
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

function SharedNumber({ agents, number, onSet }: SharedNumberProps) {
  const [refused, setRefused] = useState<{ text: string; message: string } | null>(null);
  const values = new Set(agents.map((agent) => toOwn(agent, number.field)));
  const [shared] = values.size === 1 ? values : [];
  const commit = (text: string): void => {
    const read = readNumber(text);
    setRefused(read.ok ? null : { text, message: read.message });
    if (read.ok) onSet(read.value);
  };
  return (
    <TextField
      text={{ label: number.label, hint: number.hint, problem: refused?.message }}
      binding={{ value: refused?.text ?? (shared === undefined ? "" : String(shared)), onCommit: commit }}
      onReset={[...values].some((value) => value !== undefined) ? () => commit("") : undefined}
      input={{ placeholder: values.size > 1 ? "mixed" : number.placeholder, inputMode: "decimal" }}
    />
  );
}

/** A default counts as unset. */
function toOwn(agent: Agent, field: AgentNumber["field"]): WrittenNumber {
  const written = agent.written?.[field];
  if (written !== undefined) return written;
  const isDefault = Object.entries(agentDefaults).some(
    ([name, standard]) => name === field && standard === agent[field],
  );
  return isDefault ? undefined : agent[field];
}
