import { type ComponentProps, type ReactNode, useId } from "react";
import { MessageText } from "@/app/_ui/text/message-text";
import { type CommitText, type FieldDraftOptions, useFieldDraft } from "./use-field-draft";

export const inputClass =
  "w-full rounded-md border border-line-input bg-surface px-2 py-1 text-[13px] leading-5 placeholder:text-text-faint";

export function Field({ label, hint, problem, warning, onReset, children }: FieldProps) {
  const id = useId();
  const description = problem ?? warning ?? hint;
  const color = problem ? "text-danger" : warning ? "text-warning" : "text-text-faint";
  return (
    <div className="grid content-start gap-1">
      <div className="flex items-center justify-between gap-2">
        <label htmlFor={id} className="text-xs font-medium text-text-muted">
          {label}
        </label>
        {onReset && <ResetButton label={label} onReset={onReset} />}
      </div>
      {children({
        id,
        "aria-describedby": description ? `${id}-hint` : undefined,
        "aria-invalid": problem !== undefined,
      })}
      {description && (
        <p id={`${id}-hint`} className={`text-xs ${color}`}>
          {typeof description === "string" ? <MessageText text={description} /> : description}
        </p>
      )}
    </div>
  );
}

export function ResetButton({ label, onReset }: { label: string; onReset(): void }) {
  return (
    <button
      type="button"
      aria-label={`Reset ${label.toLowerCase()}`}
      onClick={onReset}
      className="-my-1 min-h-6 rounded px-1 text-xs text-accent-text hover:bg-surface-hover"
    >
      Reset
    </button>
  );
}

interface FieldText {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  warning?: string | undefined;
}

interface FieldProps extends FieldText {
  onReset?: (() => void) | undefined;
  children(attributes: FieldAttributes): ReactNode;
}

export interface FieldAttributes {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

interface FieldBinding extends FieldDraftOptions {
  value: string;
  onCommit: CommitText;
}

interface TextFieldProps {
  text: FieldText;
  binding: FieldBinding;
  onReset?: (() => void) | undefined;
  input?: Pick<ComponentProps<"input">, "placeholder" | "inputMode">;
  mono?: boolean;
  isFirst?: boolean;
}

export function TextField({ text, binding, onReset, input, mono, isFirst }: TextFieldProps) {
  const isNumber = input?.inputMode === "decimal" || input?.inputMode === "numeric";
  const draft = useFieldDraft(binding.value, binding.onCommit, { isWhole: isNumber, ...binding });
  return (
    <Field {...text} problem={draft.problem ?? text.problem} onReset={onReset}>
      {(attributes) => (
        <input
          {...attributes}
          {...draft.attributes}
          {...input}
          autoComplete="off"
          spellCheck={false}
          data-inspector-first={isFirst}
          className={`${inputClass} ${mono ? "font-mono text-xs" : ""}`}
        />
      )}
    </Field>
  );
}

interface AreaFieldProps {
  text: Pick<FieldText, "label" | "hint">;
  binding: Omit<FieldBinding, "commitOn">;
  placeholder?: string | undefined;
  mono?: boolean;
  short?: boolean;
  isFirst?: boolean;
}

export function AreaField({ text, binding, placeholder, mono, short, isFirst }: AreaFieldProps) {
  const {
    attributes: { onKeyDown: _, ...draft },
    problem,
  } = useFieldDraft(binding.value, binding.onCommit, binding);
  return (
    <Field {...text} problem={problem}>
      {(attributes) => (
        <textarea
          {...attributes}
          {...draft}
          placeholder={placeholder}
          rows={short ? 2 : 4}
          data-inspector-first={isFirst}
          spellCheck={!mono}
          className={`${inputClass} ${short ? "min-h-12" : "min-h-24"} resize-y field-sizing-content ${mono ? "font-mono text-xs" : ""}`}
        />
      )}
    </Field>
  );
}

export function CheckField({ label, name, checked, onCommit }: CheckFieldProps) {
  return (
    <label className="flex min-h-6 items-start gap-2 text-xs leading-5">
      <input
        type="checkbox"
        className="mt-0.5 size-4 accent-accent"
        aria-label={name}
        checked={checked}
        onChange={(event) => onCommit(event.target.checked)}
      />
      {label}
    </label>
  );
}

interface CheckFieldProps {
  label: string;
  name?: string;
  checked: boolean;
  onCommit(checked: boolean): void;
}

export function SelectField({ label, value, options, onCommit, hint, onOpenChange }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onFocus={() => onOpenChange?.(true)}
          onPointerDown={() => onOpenChange?.(true)}
          onBlur={() => onOpenChange?.(false)}
          onChange={(event) => onCommit(event.target.value)}
          className={inputClass}
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

interface SelectFieldProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onCommit(value: string): void;
  hint?: ReactNode;
  onOpenChange?(isOpen: boolean): void;
}
