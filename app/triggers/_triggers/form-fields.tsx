import { Field, SelectField } from "@/app/_ui/controls/field";
import { inputStyle } from "@/app/_ui/controls/input-style";
import type { FlowChoice } from "./requests";

interface NameAndFlowProps {
  draft: { name: string; flow: string };
  flows: readonly FlowChoice[];
  example: string;
  onChange(change: { name: string } | { flow: string }): void;
}

export const NameAndFlow = ({ draft: { name, flow }, flows, example, onChange }: NameAndFlowProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field label="Name">
      {(attributes) => (
        <input
          {...attributes}
          required
          maxLength={100}
          placeholder={example}
          value={name}
          onChange={({ target }) => onChange({ name: target.value })}
          className={inputStyle}
        />
      )}
    </Field>
    <SelectField
      label="Flow"
      hint="Its published version runs; while none is published, the newest."
      value={flow}
      options={flows.map(({ id, name: flowName }) => [id, flowName] as const)}
      onChange={(id) => onChange({ flow: id })}
    />
  </div>
);
