import { Plus, Trash2 } from "lucide-react";
import { Button } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { findFreeName } from "@/lib/core/flow/free-name";
import { type FieldChange, fieldTypes, type SchemaField } from "@/lib/core/flow/schema-fields";
import { CheckField } from "../fields/fields";
import { LineInput, NameInput, TypeSelect } from "../fields/row-inputs";

const itemTypes = fieldTypes.filter((type) => type !== "array");

interface SchemaRowsProps {
  fields: readonly SchemaField[];
  path: readonly string[];
  onChange(path: readonly string[], change: FieldChange): void;
}

export function SchemaRows({ fields, path, onChange }: SchemaRowsProps) {
  const names = fields.map(({ name }) => name);
  const add = (): void => {
    const name = findFreeName(`field_${fields.length + 1}`, (candidate) => names.includes(candidate));
    onChange(path, { type: "add", name });
  };
  return (
    <ul className="grid gap-2" aria-label={path.length === 0 ? "Fields" : `Fields of ${path.join(".")}`}>
      {/* Keyed by index, so that a renamed field keeps the focus. */}
      {Object.entries(fields).map(([index, field]) => (
        <SchemaRow key={index} field={field} siblingNames={names} path={path} onChange={onChange} />
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
  siblingNames: readonly string[];
}

function SchemaRow({ field, siblingNames, path: outer, onChange }: SchemaRowProps) {
  const { name, type, required, description, choices, item, fields, more: otherKeywords } = field;
  const path = [...outer, name];
  const title = path.join(".");
  const change = (fieldChange: FieldChange): void => onChange(path, fieldChange);
  const commitName = (text: string) => rename(text.trim(), { name, siblingNames, change });
  return (
    <li className="grid gap-1.5 rounded-md border border-line p-2">
      <div className="flex items-center gap-1.5">
        <NameInput label={`Name of field ${title}`} value={name} onCommit={commitName} />
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

interface Rename {
  name: string;
  siblingNames: readonly string[];
  change(change: FieldChange): void;
}

function rename(to: string, { name, siblingNames, change }: Rename): string | undefined {
  if (to === name) return undefined;
  if (to === "") return "A field needs a name.";
  if (siblingNames.includes(to)) return `There is a field "${to}" already.`;
  change({ type: "rename", to });
  return undefined;
}

const readChoices = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((choice) => choice.trim())
      .filter(Boolean),
  ),
];
