import type { FieldType } from "@/lib/core/flow/schema-fields";
import { inputClass } from "./fields";
import { type CommitText, useFieldDraft } from "./use-field-draft";

/** Fields of a row in a list; their labels are not visible. */
interface RowInputProps {
  label: string;
  value: string;
  onCommit: CommitText;
}

export function NameInput({ label, value, onCommit }: RowInputProps) {
  const { attributes, problem } = useFieldDraft(value, onCommit, { commitOn: "leave" });
  return (
    <div className="min-w-0 flex-1">
      <input
        {...attributes}
        aria-label={label}
        aria-invalid={problem !== undefined}
        spellCheck={false}
        autoComplete="off"
        className={`${inputClass} font-mono text-xs`}
      />
      <RowProblem message={problem} />
    </div>
  );
}

interface LineInputProps extends RowInputProps {
  placeholder: string;
  inputMode?: "decimal" | "text";
}

export function LineInput({ label, value, onCommit, ...attributes }: LineInputProps) {
  const draft = useFieldDraft(value, onCommit, { isWhole: attributes.inputMode === "decimal" });
  return (
    <div>
      <input {...draft.attributes} {...attributes} aria-label={label} className={`${inputClass} text-xs`} />
      <RowProblem message={draft.problem} />
    </div>
  );
}

function RowProblem({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p role="alert" className="text-danger text-xs">
      {message}
    </p>
  );
}

const typeWords: Record<FieldType, string> = {
  string: "text",
  number: "number",
  integer: "whole number",
  boolean: "yes or no",
  object: "object",
  array: "list",
};

interface TypeSelectProps<Type extends FieldType> {
  label: string;
  prefix?: string;
  type: Type;
  types: readonly Type[];
  onChange(type: Type): void;
}

export function TypeSelect<Type extends FieldType>({
  label,
  prefix = "",
  type,
  types,
  onChange,
}: TypeSelectProps<Type>) {
  return (
    <select
      aria-label={label}
      value={type}
      onChange={({ target }) => {
        const nextType = types.find((fieldType) => fieldType === target.value);
        if (nextType) onChange(nextType);
      }}
      className="h-7 rounded-md border border-line-input bg-surface px-1 text-xs"
    >
      {types.map((fieldType) => (
        <option key={fieldType} value={fieldType}>
          {prefix}
          {typeWords[fieldType]}
        </option>
      ))}
    </select>
  );
}
