"use client";

import type { FormField } from "@/app/_kinds/form-field";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useSession } from "../../../state/session-context";
import { ConditionField } from "../fields/condition-field";
import { AreaField, SelectField, TextField } from "../fields/fields";
import { LimitField } from "../fields/limit-field";
import { ModelField } from "../model/model-field";
import { PromptField } from "../prompt/prompt-field";
import { AgentLimits } from "./agent-limits";
import { AgentOutput } from "./agent-output";
import { LaneField } from "./lane-field";
import { LinkControls } from "./link-controls";
import { RouterLanes } from "./router-lanes";
import { SwarmFields } from "./swarm-fields";
import { WriteOutButton } from "./write-out-button";

export function FormFieldRow({ field, node }: { field: FormField; node: ArrangedNode }) {
  const { actions } = useSession();
  switch (field.type) {
    case "text": {
      const { label, hint, value, placeholder } = field;
      const commit = (text: string) => actions.edit(field.toEdit(text));
      const input = placeholder === undefined ? {} : { placeholder };
      return <TextField text={{ label, hint }} binding={{ value, onCommit: commit }} input={input} mono />;
    }
    case "area": {
      const { label, hint, value, placeholder } = field;
      const commit = (text: string) => actions.edit(field.toEdit(text));
      return <AreaField text={{ label, hint }} binding={{ value, onCommit: commit }} placeholder={placeholder} />;
    }
    case "condition": {
      const { label, value, inLoop = false } = field;
      const commit = (text: string) => actions.edit(field.toEdit(text));
      return <ConditionField label={label} text={value} inLoop={inLoop} onCommit={commit} />;
    }
    case "prompt": {
      const { label, value, placeholder = "" } = field;
      const text = { label, value, placeholder, nodeKey: node.key };
      return <PromptField {...text} onCommit={(prompt) => actions.edit(field.toEdit(prompt))} />;
    }
    case "model": {
      const { value = "", written } = field;
      return <ModelField model={value} written={written} onCommit={(model) => actions.edit(field.toEdit(model))} />;
    }
    case "number":
      return <LimitField {...field} hint={field.hint ?? ""} limit={field} />;
    case "select": {
      const { label, value, options } = field;
      const commit = (next: string): void => {
        const edits = field.toEdits(next);
        if (edits.length > 0) actions.edit(...edits);
      };
      return <SelectField label={label} value={value} options={options} onCommit={commit} />;
    }
    case "fact":
      return <Fact label={field.label} value={field.value} />;
    case "lane":
      return <LaneField {...field} />;
    default:
      return <FormSection field={field} node={node} />;
  }
}

type SectionField = Extract<
  FormField,
  { type: "agent-output" | "agent-limits" | "router-lanes" | "swarm-mode" | "links" | "write-out" }
>;

function FormSection({ field, node }: { field: SectionField; node: ArrangedNode }) {
  switch (field.type) {
    case "agent-output":
      return <AgentOutput agent={field.agent} node={node} />;
    case "agent-limits":
      return <AgentLimits agent={field.agent} />;
    case "router-lanes":
      return <RouterLanes router={field.router} />;
    case "swarm-mode":
      return <SwarmFields swarm={field.swarm} scope={{ type: "swarm", name: field.swarm.name }} />;
    case "links":
      return <LinkControls node={node} />;
    case "write-out":
      return <WriteOutButton node={node} />;
  }
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <dl className="flex justify-between text-xs">
    <dt className="text-text-muted">{label}</dt>
    <dd>{value}</dd>
  </dl>
);
