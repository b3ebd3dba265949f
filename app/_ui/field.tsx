"use client";

import { type ComponentProps, type ReactNode, useId } from "react";

const inputLook =
  "w-full rounded-md border border-line-strong bg-surface px-2 text-[13px] leading-5 placeholder:text-text-faint aria-invalid:border-danger disabled:opacity-60 pointer-coarse:text-base";

interface FieldProps {
  label: ReactNode;
  /** Hides the label from view, not from screen readers. */
  labelHidden?: boolean;
  hint?: ReactNode;
  /** What is wrong with the value; said under the field. */
  problem?: string | undefined;
}

interface FieldAttributes {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

function Field({
  label,
  labelHidden = false,
  hint,
  problem,
  children,
}: FieldProps & { children(attributes: FieldAttributes): ReactNode }) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className={labelHidden ? "sr-only" : "font-medium text-text-muted text-xs"}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": note ? `${id}-note` : undefined,
        "aria-invalid": problem === undefined ? undefined : true,
      })}
      {note && (
        <p id={`${id}-note`} className={`text-xs ${problem === undefined ? "text-text-muted" : "text-danger"}`}>
          {note}
        </p>
      )}
    </div>
  );
}

/** One line of text. */
export function TextField({
  label,
  labelHidden,
  hint,
  problem,
  className = "",
  ...input
}: FieldProps & ComponentProps<"input">) {
  return (
    <Field label={label} {...(labelHidden ? { labelHidden } : {})} hint={hint} problem={problem}>
      {(attributes) => (
        <input {...input} {...attributes} className={`h-8 pointer-coarse:h-10 ${inputLook} ${className}`} />
      )}
    </Field>
  );
}

/** Several lines of text; grows with what is in it up to the height that `className` allows. */
export function TextArea({
  label,
  labelHidden,
  hint,
  problem,
  className = "",
  ...input
}: FieldProps & ComponentProps<"textarea">) {
  return (
    <Field label={label} {...(labelHidden ? { labelHidden } : {})} hint={hint} problem={problem}>
      {(attributes) => (
        <textarea
          {...input}
          {...attributes}
          className={`field-sizing-content max-h-[50dvh] min-h-24 resize-y py-1.5 ${inputLook} ${className}`}
        />
      )}
    </Field>
  );
}

interface SelectProps extends FieldProps, Omit<ComponentProps<"select">, "onChange"> {
  options: readonly { value: string; label: string }[];
  onValueChange(value: string): void;
}

/** One of a few values, by the platform's own list. */
export function Select({
  label,
  labelHidden,
  hint,
  problem,
  options,
  onValueChange,
  className = "",
  ...select
}: SelectProps) {
  return (
    <Field label={label} {...(labelHidden ? { labelHidden } : {})} hint={hint} problem={problem}>
      {(attributes) => (
        <select
          {...select}
          {...attributes}
          onChange={(event) => onValueChange(event.target.value)}
          className={`h-8 pointer-coarse:h-10 ${inputLook} ${className}`}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
