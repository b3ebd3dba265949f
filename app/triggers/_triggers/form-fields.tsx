import { type ReactNode, useId } from "react";
import { inputStyle } from "@/app/_ui/controls/input-style";
import type { FlowChoice } from "./requests";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  children(attributes: { id: string; "aria-describedby": string | undefined }): ReactNode;
}

/** A label, a control and its hint. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": hint === undefined ? undefined : hintId })}
      {hint !== undefined && (
        <p id={hintId} className="mt-1 text-pretty text-text-muted text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}

interface SelectFieldProps extends Omit<FieldProps, "children"> {
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange(value: string): void;
}

export const SelectField = ({ value, options, onChange, ...fieldProps }: SelectFieldProps) => (
  <Field {...fieldProps}>
    {(attributes) => (
      <select {...attributes} value={value} onChange={({ target }) => onChange(target.value)} className={inputStyle}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

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

export const FormProblem = ({ problem }: { problem: string | null }) => (
  <p role="alert" className="text-danger empty:hidden [overflow-wrap:anywhere]">
    {problem}
  </p>
);
