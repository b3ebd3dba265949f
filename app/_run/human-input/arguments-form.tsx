import { useId } from "react";
import { MessageText } from "@/app/_ui/text/message-text";
import type { SchemaField } from "@/lib/core/flow/schema-fields";
import { type ArgumentsDraft, type ArgumentsProblem, isJsonField } from "./arguments-draft";

interface ArgumentsFormProps {
  draft: ArgumentsDraft;
  problems: readonly ArgumentsProblem[];
  onChange(draft: ArgumentsDraft): void;
}

const fieldStyle =
  "w-full rounded-md border border-line-input bg-surface px-2 py-1 text-[13px] text-text leading-5 aria-invalid:border-danger";

export function ArgumentsForm({ draft, problems, onChange }: ArgumentsFormProps) {
  const problemOf = (field: string): string | undefined => problems.find((problem) => problem.field === field)?.message;
  if (draft.type === "json")
    return (
      <ArgumentField
        label="Arguments, as JSON"
        problem={problems[0]?.message}
        render={(attributes) => (
          <textarea
            {...attributes}
            value={draft.text}
            onChange={({ target }) => onChange({ type: "json", text: target.value })}
            rows={3}
            spellCheck={false}
            className={`${fieldStyle} max-h-60 field-sizing-content font-mono text-xs`}
          />
        )}
      />
    );
  const { fields, texts } = draft;
  const undeclared = problems.filter(({ field }) => !fields.some(({ name }) => name === field));
  return (
    <fieldset className="grid max-w-3xl gap-2">
      <legend className="mb-1 text-text-muted text-xs">Arguments; edit them before you approve</legend>
      {fields.length === 0 && <p className="text-text-muted text-xs">This tool takes no arguments.</p>}
      {fields.map((field) => (
        <ArgumentField
          key={field.name}
          label={field.name}
          isRequired={field.required}
          hint={field.description}
          problem={problemOf(field.name)}
          render={(attributes) => (
            <ArgumentInput
              attributes={attributes}
              field={field}
              text={texts[field.name] ?? ""}
              onChange={(text) => onChange({ ...draft, texts: { ...texts, [field.name]: text } })}
            />
          )}
        />
      ))}
      {undeclared.map(({ field, message }) => (
        <p key={field} role="alert" className="text-danger text-xs">
          <MessageText text={field === "" ? message : `${field}: ${message}`} />
        </p>
      ))}
    </fieldset>
  );
}

interface InputAttributes {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
  "aria-required": boolean;
}

interface ArgumentFieldProps {
  label: string;
  isRequired?: boolean;
  hint?: string;
  problem?: string | undefined;
  render(attributes: InputAttributes): React.ReactNode;
}

function ArgumentField({ label, isRequired = false, hint = "", problem, render }: ArgumentFieldProps) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-text-muted text-xs">
        <span className="font-mono text-text">{label}</span>
        {isRequired && <span> (required)</span>}
      </label>
      {render({
        id,
        "aria-describedby": note === "" ? undefined : `${id}-note`,
        "aria-invalid": problem !== undefined,
        "aria-required": isRequired,
      })}
      {note !== "" && (
        <p id={`${id}-note`} className={`text-xs ${problem === undefined ? "text-text-faint" : "text-danger"}`}>
          <MessageText text={note} />
        </p>
      )}
    </div>
  );
}

interface ArgumentInputProps {
  attributes: InputAttributes;
  field: SchemaField;
  text: string;
  onChange(text: string): void;
}

function ArgumentInput({ attributes, field, text, onChange }: ArgumentInputProps) {
  const choices = field.type === "boolean" ? ["true", "false"] : field.choices;
  if (choices.length > 0)
    return (
      <select {...attributes} value={text} onChange={({ target }) => onChange(target.value)} className={fieldStyle}>
        {!(field.required && choices.includes(text)) && <option value="">not set</option>}
        {[...new Set([...choices, ...(text === "" ? [] : [text])])].map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  if (field.type === "number" || field.type === "integer")
    return (
      <input
        {...attributes}
        inputMode="decimal"
        value={text}
        onChange={({ target }) => onChange(target.value)}
        className={`${fieldStyle} tabular-nums`}
      />
    );
  return (
    <textarea
      {...attributes}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      rows={1}
      spellCheck={!isJsonField(field)}
      className={`${fieldStyle} max-h-60 field-sizing-content ${isJsonField(field) ? "font-mono text-xs" : ""}`}
    />
  );
}
