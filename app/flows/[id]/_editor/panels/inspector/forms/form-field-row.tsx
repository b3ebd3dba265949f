import type { FormField } from "@/app/_kinds/form-field";
import { Button } from "@/app/_ui/controls/button";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useSession } from "../../../state/session-context";
import { ConditionField } from "../fields/condition-field";
import { AreaField, SelectField, TextField } from "../fields/fields";
import { LimitField } from "../fields/limit-field";
import { Section } from "../fields/section";
import { useFieldText } from "../fields/use-field-text";
import { ModelField } from "../model/model-field";
import { PromptField } from "../prompt/prompt-field";
import { AgentLimits } from "./agent-limits";
import { AgentOutput } from "./agent-output";
import { LaneField } from "./lane-field";
import { LinkControls } from "./link-controls";
import { RouterLanes } from "./router-lanes";
import { SwarmFields } from "./swarm-fields";

export function FormFieldRow({ field, node }: { field: FormField; node: ArrangedNode }) {
  const { actions } = useSession();
  switch (field.type) {
    case "model": {
      const { value = "", written } = field;
      return <ModelField model={value} written={written} onCommit={(model) => actions.edit(field.toEdit(model))} />;
    }
    case "number":
      return <LimitField {...field} hint={field.hint ?? ""} limit={field} toEdits={(value) => [field.toEdit(value)]} />;
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
    case "agent-output":
      return <AgentOutput agent={field.agent} node={node} />;
    case "agent-limits":
      return <AgentLimits agent={field.agent} />;
    case "router-lanes":
      return <RouterLanes router={field.router} />;
    case "swarm-mode":
      return <SwarmFields swarm={field.swarm} scope={{ type: "swarm", name: field.swarm.name }} />;
    case "links":
      return (
        <Section title="Links and position">
          <LinkControls node={node} />
        </Section>
      );
    case "write-out":
      return <WriteOutButton node={node} />;
    default:
      return <TextualField field={field} node={node} />;
  }
}

interface TextualFieldProps {
  field: Extract<FormField, { type: "text" | "line" | "area" | "prompt" | "condition" }>;
  node: ArrangedNode;
}

function TextualField({ field, node }: TextualFieldProps) {
  const { actions } = useSession();
  const { label, hint, placeholder } = field;
  const value = useFieldText(field);
  const onCommit = (text: string): boolean => actions.edit(field.toEdit(text));
  switch (field.type) {
    case "text":
      return <TextField text={{ label, hint }} binding={{ value, onCommit }} input={{ placeholder }} mono />;
    case "line":
      return <TextField text={{ label, hint }} binding={{ value, onCommit }} input={{ placeholder }} />;
    case "area":
      return <AreaField text={{ label, hint }} binding={{ value, onCommit }} placeholder={placeholder} />;
    case "condition":
      return <ConditionField label={label} text={value} inLoop={field.inLoop ?? false} onCommit={onCommit} />;
    case "prompt":
      return <PromptField {...{ label, value, onCommit }} placeholder={placeholder ?? ""} nodeKey={node.key} />;
  }
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <dl className="flex justify-between text-xs">
    <dt className="text-text-muted">{label}</dt>
    <dd>{value}</dd>
  </dl>
);

/** Replaces the node by its members. */
function WriteOutButton({ node }: { node: ArrangedNode }) {
  const { actions, editor } = useSession();
  if (!node.placed) return null;
  const writeOut = (): void => {
    editor.select([node.key]);
    actions.wrap("inline");
  };
  return (
    <Button size="small" onClick={writeOut}>
      Replace by its members
    </Button>
  );
}
