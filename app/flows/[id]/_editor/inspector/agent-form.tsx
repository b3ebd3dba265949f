"use client";

import type { ArrangedNode } from "@/lib/core/flow/arrange";
import type { AgentField, Edit } from "@/lib/core/flow/edit";
import { type Agent, agentDefaults } from "@/lib/core/flow/flow";
import { useSession } from "../session-context";
import { type AgentNumber, agentNumbers } from "./agent-numbers";
import { AreaField, CheckField } from "./fields";
import { FormHead } from "./form-head";
import { LimitField } from "./limit-field";
import { LinkControls } from "./link-controls";
import { ModelField } from "./model-field";
import { NameField } from "./name-field";
import { SchemaField } from "./schema-field";
import { ApprovalsField, ToolsField } from "./tools-field";

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
          <div className="col-span-2 grid gap-3">
            <ModelField
              label="Fallback model"
              model={agent.fallback_model ?? ""}
              hint="Asked once when the model gave no answer."
              onCommit={(model) => set("fallback_model", model === "" ? undefined : model)}
            />
            {agent.tools.length > 0 && (
              <ApprovalsField
                tools={agent.tools}
                chosen={agent.needs_approval}
                onCommit={(tools) => set("needs_approval", tools.length === 0 ? undefined : tools)}
              />
            )}
            <SchemaField schema={agent.output_schema} onCommit={(schema) => set("output_schema", schema)} />
            <CheckField
              label="Leave out the oldest turns when the conversation is too long"
              checked={agent.trim_context}
              onCommit={(checked) => set("trim_context", checked ? true : undefined)}
            />
            <CheckField
              label="Sees what was said before the run"
              checked={agent.use_history}
              onCommit={(checked) => set("use_history", checked ? undefined : false)}
            />
          </div>
        </div>
      </details>
    </div>
  );
}

/** A limit of one agent; its default counts as unset. */
function NumberField({ agent, number }: { agent: Agent; number: AgentNumber }) {
  const { field, label, hint, placeholder } = number;
  const value = agent[field];
  const isDefault = Object.entries(agentDefaults).some(([name, standard]) => name === field && standard === value);
  return (
    <LimitField
      label={label}
      hint={hint}
      placeholder={placeholder}
      value={isDefault ? undefined : value}
      toEdit={(next) => ({ type: "set-agent-field", name: agent.name, field, value: next })}
    />
  );
}
