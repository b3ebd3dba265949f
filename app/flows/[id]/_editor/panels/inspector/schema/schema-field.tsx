import { useState } from "react";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { changeField, exampleOf, type FieldChange, readFields } from "@/lib/core/flow/schema-fields";
import { Disclosure } from "../fields/section";
import { SchemaRows } from "./schema-rows";
import { SchemaText } from "./schema-text";
import { TryAnswer } from "./try-answer";

interface SchemaFieldProps {
  schema: JsonSchema;
  warning: string | undefined;
  nodeKey: NodeKey;
  onCommit(schema: JsonSchema | undefined): void;
}

export function SchemaField({ schema, warning, nodeKey, onCommit }: SchemaFieldProps) {
  const [asText, setAsText] = useState(false);
  const fields = readFields(schema);
  const change = (path: readonly string[], fieldChange: FieldChange): void => {
    onCommit(changeField(schema, path, fieldChange));
  };
  const showsText = asText || typeof fields === "string";
  return (
    <section aria-label="Structured output" className="grid gap-2">
      <ViewSwitch asText={showsText} canRows={typeof fields !== "string"} onChange={setAsText} />
      {warning && <p className="text-warning text-xs">{warning}</p>}
      {typeof fields === "string" && <p className="text-text-muted text-xs">{fields} It stays text.</p>}
      {showsText || typeof fields === "string" ? (
        <SchemaText schema={schema} onCommit={onCommit} />
      ) : (
        <SchemaRows fields={fields} path={[]} onChange={change} />
      )}
      <Disclosure summary="Example answer">
        <pre className="whitespace-pre-wrap rounded-md bg-surface-sunken p-2 font-mono text-[11px] leading-4 [overflow-wrap:anywhere]">
          {JSON.stringify(exampleOf(schema), null, 2)}
        </pre>
      </Disclosure>
      <TryAnswer schema={schema} nodeKey={nodeKey} />
    </section>
  );
}

interface ViewSwitchProps {
  asText: boolean;
  canRows: boolean;
  onChange(asText: boolean): void;
}

const views = [
  { label: "Fields", isText: false },
  { label: "JSON Schema", isText: true },
] as const;

function ViewSwitch({ asText, canRows, onChange }: ViewSwitchProps) {
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Show the schema as</legend>
      {views.map(({ label, isText }) => (
        <button
          key={label}
          type="button"
          disabled={!isText && !canRows}
          aria-pressed={asText === isText}
          onClick={() => onChange(isText)}
          className="min-h-6 rounded px-2 text-xs aria-pressed:bg-surface-selected aria-pressed:text-text text-text-muted disabled:opacity-50"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
