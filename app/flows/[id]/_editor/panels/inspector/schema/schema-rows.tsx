"use client";

import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { type FieldChange, type FieldType, fieldTypes, type SchemaField } from "@/lib/core/flow/schema-fields";
import { CheckField, inputClass } from "../fields/fields";
import { useFieldDraft } from "../fields/use-field-draft";

const typeWords: Record<FieldType, string> = {
  string: "text",
  number: "number",
  integer: "whole number",
  boolean: "yes or no",
  object: "object",
  array: "list",
};
const itemTypes = fieldTypes.filter((type) => type !== "array");

interface SchemaRowsProps {
  fields: readonly SchemaField[];
  path: readonly string[];
  onChange(path: readonly string[], change: FieldChange): void;
}

export function SchemaRows({ fields, path, onChange }: SchemaRowsProps) {
  const names = fields.map(({ name }) => name);
  const add = (): void => {
    let number = fields.length + 1;
    while (names.includes(`field_${number}`)) number++;
    onChange(path, { type: "add", name: `field_${number}` });
  };
  return (
    <ul className="grid gap-2" aria-label={path.length === 0 ? "Fields" : `Fields of ${path.join(".")}`}>
      {/* Keyed by index, so that a renamed field keeps the focus. */}
      {Object.entries(fields).map(([index, field]) => (
        <SchemaRow key={index} field={field} taken={names} path={path} onChange={onChange} />
      ))}
      <li>
        <Button size="small" variant="ghost" onClick={add}>
          <Plus size={14} aria-hidden />
          Add field
        </Button>
      </li>
    </ul>
  );
}

interface SchemaRowProps extends Pick<SchemaRowsProps, "path" | "onChange"> {
  field: SchemaField;
  taken: readonly string[];
}

function SchemaRow({ field, taken: siblingNames, path: outer, onChange }: SchemaRowProps) {
  const { name, type, required, description, choices, item, fields, more: otherKeywords } = field;
  const path = [...outer, name];
  const title = path.join(".");
  const change = (fieldChange: FieldChange): void => onChange(path, fieldChange);
  return (
    <li className="grid gap-1.5 rounded-md border border-line p-2">
      <div className="flex items-center gap-1.5">
        <FieldName name={name} title={title} taken={siblingNames} onRename={(to) => change({ type: "rename", to })} />
        <TypeSelect
          label={`Type of ${title}`}
          type={type}
          types={fieldTypes}
          onChange={(to) => change({ type: "set-type", to })}
        />
        <IconButton label={`Remove field ${title}`} onClick={() => change({ type: "remove" })}>
          <Trash2 size={14} aria-hidden />
        </IconButton>
      </div>
      <LineInput
        label={`Description of ${title}`}
        value={description}
        placeholder="Description"
        onCommit={(to) => change({ type: "set-description", to })}
      />
      {type === "string" && (
        <LineInput
          label={`Choices of ${title}`}
          value={choices.join(", ")}
          placeholder="Any text, or choices: low, high"
          onCommit={(text) => change({ type: "set-choices", to: readChoices(text) })}
        />
      )}
      {type === "array" && item && (
        <TypeSelect
          label={`Items of ${title}`}
          prefix="of "
          type={item}
          types={itemTypes}
          onChange={(to) => change({ type: "set-item", to })}
        />
      )}
      <div className="flex items-center justify-between gap-2">
        <CheckField
          label="Required"
          name={`${title} is required`}
          checked={required}
          onCommit={(to) => change({ type: "set-required", to })}
        />
        {otherKeywords.length > 0 && (
          <span className="text-[11px] text-text-faint">also {otherKeywords.join(", ")}</span>
        )}
      </div>
      {fields && <SchemaRows fields={fields} path={path} onChange={onChange} />}
    </li>
  );
}

const readChoices = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((choice) => choice.trim())
      .filter(Boolean),
  ),
];

function FieldName({ name, title, taken: siblingNames, onRename }: FieldNameProps) {
  const [refused, setRefused] = useState<string | null>(null);
  const rename = (text: string): boolean => {
    const to = text.trim();
    const isFree = to !== "" && !siblingNames.includes(to);
    setRefused(
      isFree || to === name ? null : to === "" ? "A field needs a name." : `There is a field "${to}" already.`,
    );
    if (isFree) onRename(to);
    return isFree || to === name;
  };
  const draft = useFieldDraft(name, rename, { commitOn: "leave" });
  return (
    <div className="min-w-0 flex-1">
      <input
        {...draft}
        aria-label={`Name of field ${title}`}
        aria-invalid={refused !== null}
        spellCheck={false}
        autoComplete="off"
        className={`${inputClass} font-mono text-xs`}
      />
      {refused !== null && <p className="text-danger text-xs">{refused}</p>}
    </div>
  );
}

interface FieldNameProps {
  name: string;
  title: string;
  taken: readonly string[];
  onRename(to: string): void;
}

function LineInput({ label, value, placeholder, onCommit }: LineInputProps) {
  const draft = useFieldDraft(value, onCommit);
  return <input {...draft} aria-label={label} placeholder={placeholder} className={`${inputClass} text-xs`} />;
}

interface LineInputProps {
  label: string;
  value: string;
  placeholder: string;
  onCommit(value: string): void;
}

function TypeSelect({ label, prefix = "", type, types, onChange }: TypeSelectProps) {
  return (
    <select
      aria-label={label}
      value={type}
      onChange={({ target }) => {
        const nextType = types.find((fieldType) => fieldType === target.value);
        if (nextType) onChange(nextType);
      }}
      className="h-7 rounded-md border border-line-strong bg-surface px-1 text-xs"
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

interface TypeSelectProps {
  label: string;
  prefix?: string;
  type: FieldType;
  types: readonly FieldType[];
  onChange(type: FieldType): void;
}
