"use client";

import { findMisfits } from "@/lib/core/check/check-model-fit";
import type { AgentField, Edit } from "@/lib/core/flow/edit";
import type { ModelOffer } from "@/lib/core/flow/model-support";
import { type Agent, agentDefaults } from "@/lib/core/kinds/agent";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useModelOffer } from "../../../state/models/use-models";
import { useSession } from "../../../state/session-context";
import { type AgentNumber, numbersFor } from "../fields/agent-numbers";
import { CheckField } from "../fields/fields";
import { LimitField } from "../fields/limit-field";
import { NameField } from "../fields/name-field";
import { Section } from "../fields/section";
import { ModelField } from "../model/model-field";
import { PromptField } from "../prompt/prompt-field";
import { SchemaField } from "../schema/schema-field";
import { takeTool } from "../tools/shared-tools";
import { ToolsField } from "../tools/tools-field";
import { FormHead } from "./form-head";
import { LinkControls } from "./link-controls";

type FieldEdit = Extract<Edit, { type: "set-agent-field" }>;

export function AgentForm({ agent, node }: { agent: Agent; node: ArrangedNode }) {
  const { commands } = useSession();
  const offer = useModelOffer(agent.model ?? "");
  const misfits = findMisfits(agent, agent.model ?? "");
  const warningOf = (field: AgentField) => misfits.find((misfit) => misfit.field === field)?.reason;
  const set = (field: AgentField, value: FieldEdit["value"]): void => {
    commands.edit({ type: "set-agent-field", name: agent.name, field, value });
  };
  const setTools = (tools: readonly string[]): void => {
    const gone = agent.tools.find((tool) => !tools.includes(tool));
    if (gone === undefined) set("tools", [...tools]);
    else commands.edit(...takeTool(agent, gone));
  };
  return (
    <div className="grid gap-3">
      <FormHead kind="agent" title="Agent" />
      <NameField name={agent.name} />
      <ModelField
        model={agent.model ?? ""}
        written={agent.written?.model}
        onCommit={(model) => set("model", model === "" ? undefined : model)}
      />
      <PromptField
        label="Instructions"
        value={agent.instructions}
        placeholder="What this agent does, and how."
        place={node.key}
        onCommit={(text) => set("instructions", text === "" ? undefined : text)}
      />
      <ToolsField
        chosen={agent.tools}
        approved={agent.needs_approval}
        warning={warningOf("tools")}
        onCommit={setTools}
        onApprove={(tools) => set("needs_approval", tools.length === 0 ? undefined : [...tools])}
      />
      <Section title={agent.output_schema ? "Structured output: on" : "Structured output"}>
        <SchemaField
          schema={agent.output_schema}
          warning={offer?.supports.structuredOutput === false ? `${offer.name} takes no schema.` : undefined}
          place={node.key}
          onCommit={(schema) => set("output_schema", schema)}
        />
      </Section>
      <LinkControls node={node} />
      <AdvancedSection agent={agent} offer={offer} warningOf={warningOf} onSet={set} />
    </div>
  );
}

interface AdvancedSectionProps {
  agent: Agent;
  offer: ModelOffer | null;
  warningOf(field: AgentField): string | undefined;
  onSet(field: AgentField, value: FieldEdit["value"]): void;
}

function AdvancedSection({ agent, offer, warningOf, onSet }: AdvancedSectionProps) {
  return (
    <Section title="Advanced">
      <div className="grid grid-cols-2 gap-3">
        {numbersFor(offer).map((number) => (
          <NumberField key={number.field} agent={agent} number={number} warning={warningOf(number.field)} />
        ))}
        <div className="col-span-2 grid gap-3">
          <ModelField
            label="Fallback model"
            model={agent.fallback_model ?? ""}
            written={agent.written?.fallback_model}
            hint="Asked once when the model gave no answer."
            onCommit={(model) => onSet("fallback_model", model === "" ? undefined : model)}
          />
          <CheckField
            label="Leave out the oldest turns when the conversation is too long"
            checked={agent.trim_context}
            onCommit={(checked) => onSet("trim_context", checked ? true : undefined)}
          />
          <CheckField
            label="Sees what was said before the run"
            checked={agent.use_history}
            onCommit={(checked) => onSet("use_history", checked ? undefined : false)}
          />
        </div>
      </div>
    </Section>
  );
}

function NumberField({ agent, number, warning }: NumberFieldProps) {
  const { field, label, hint, placeholder, refused } = number;
  const value = agent[field];
  const written = agent.written?.[field];
  const isDefault = Object.entries(agentDefaults).some(([name, standard]) => name === field && standard === value);
  if (value === undefined && written === undefined && refused !== undefined)
    return (
      <p className="text-xs text-text-faint">
        <span className="block font-medium text-text-muted">{label}</span>
        {refused}
      </p>
    );
  return (
    <LimitField
      label={label}
      hint={hint}
      placeholder={placeholder}
      value={isDefault && written === undefined ? undefined : value}
      written={written}
      warning={warning}
      toEdit={(next) => ({ type: "set-agent-field", name: agent.name, field, value: next })}
    />
  );
}

interface NumberFieldProps {
  agent: Agent;
  number: AgentNumber;
  warning: string | undefined;
}
