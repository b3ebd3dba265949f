"use client";

import { useState } from "react";
import type { ArrangedNode } from "@/lib/core/flow/arrange";
import type { AgentField, Edit } from "@/lib/core/flow/edit";
import { type Agent, agentDefaults } from "@/lib/core/flow/flow";
import { useEditorState, useSession } from "../session-context";
import { type AgentNumber, agentNumbers, readNumber } from "./agent-numbers";
import { AreaField, TextField } from "./fields";
import { FormHead } from "./form-head";
import { LinkControls } from "./link-controls";
import { ModelField } from "./model-field";
import { NameField } from "./name-field";
import { ToolsField } from "./tools-field";

type FieldEdit = Extract<Edit, { type: "set-agent-field" }>;

/** Everything that can be set on one agent. */
export function AgentForm({ agent, node }: { agent: Agent; node: ArrangedNode }) {
  const { commands } = useSession();
  const set = (field: AgentField, value: FieldEdit["value"]): void => {
    commands.edit({ type: "set-agent-field", name: agent.name, field, value });
  };
  return (
    <div className="grid gap-3">
      <FormHead kind="agent" title="Agent" />
      <NameField name={agent.name} />
      <ModelField model={agent.model ?? ""} onCommit={(model) => set("model", model === "" ? undefined : model)} />
      <AreaField
        label="Instructions"
        value={agent.instructions}
        placeholder="What this agent does, and how."
        onCommit={(text) => set("instructions", text === "" ? undefined : text)}
      />
      <ToolsField
        chosen={agent.tools}
        onCommit={(tools) => set("tools", tools.length === 0 ? undefined : [...tools])}
      />
      <LinkControls node={node} />
      <details className="group rounded-md border border-line">
        <summary className="cursor-pointer px-2 py-1.5 text-xs font-medium">Advanced</summary>
        <div className="grid grid-cols-2 gap-3 border-t border-line p-2">
          {agentNumbers.map((number) => (
            <NumberField key={number.field} agent={agent} number={number} />
          ))}
        </div>
      </details>
    </div>
  );
}

/** A limit: empty means unset; what cannot be taken stays in the field with the reason under it. */
function NumberField({ agent, number }: { agent: Agent; number: AgentNumber }) {
  const { editor } = useSession();
  const flow = useEditorState((state) => state.flow);
  const [refused, setRefused] = useState<{ text: string; message: string; flow: typeof flow } | null>(null);
  const value = agent[number.field];
  const isDefault = Object.entries(agentDefaults).some(
    ([field, standard]) => field === number.field && standard === value,
  );
  const shown = value === undefined || isDefault ? "" : String(value);
  const rejected = refused?.flow === flow ? refused : null;
  const commit = (text: string): void => {
    const read = readNumber(text);
    const { field } = number;
    const problem = read.ok
      ? editor.dispatch([{ type: "set-agent-field", name: agent.name, field, value: read.value }])
      : read;
    setRefused(problem ? { text, message: problem.message, flow } : null);
  };
  return (
    <TextField
      label={number.label}
      value={rejected?.text ?? shown}
      onCommit={commit}
      hint={number.hint}
      problem={rejected?.message}
      placeholder={number.placeholder}
      inputMode="decimal"
    />
  );
}
