import { type ReactNode, useId } from "react";
import { inputStyle } from "./input-style";

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** Beside the label, at the right. */
  aside?: ReactNode;
  children(attributes: { id: string; "aria-describedby": string | undefined }): ReactNode;
}

/** A label, a control and its hint. */
export function Field({ label, hint, aside, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside}
      </div>
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

export const DialogProblem = ({ problem }: { problem: string | null }) => (
  <p role="alert" className="text-danger empty:hidden [overflow-wrap:anywhere]">
    {problem}
  </p>
);
