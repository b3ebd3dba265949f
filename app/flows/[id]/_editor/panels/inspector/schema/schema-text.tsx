import { findSchemaMistake } from "@/lib/core/check/check-schema";
import type { JsonSchema } from "@/lib/core/flow/flow";
import { parseJson } from "@/lib/core/flow/parse-json";
import { agentSchema } from "@/lib/core/kinds/agent-schema";
import { AreaField } from "../fields/fields";

interface SchemaTextProps {
  schema: JsonSchema;
  onCommit(schema: JsonSchema | undefined): void;
}

export function SchemaText({ schema, onCommit }: SchemaTextProps) {
  const commit = (text: string): string | undefined => {
    const read = readSchema(text);
    if (!read.ok) return read.message;
    if (JSON.stringify(read.schema) !== JSON.stringify(schema)) onCommit(read.schema);
    return undefined;
  };
  return (
    <AreaField
      text={{ label: "Output schema", hint: "JSON Schema of the answer. Empty: any text." }}
      binding={{ value: JSON.stringify(schema, null, 2), onCommit: commit, isWhole: true }}
      mono
    />
  );
}

function readSchema(text: string): { ok: true; schema: JsonSchema | undefined } | { ok: false; message: string } {
  if (text.trim() === "") return { ok: true, schema: undefined };
  const value = parseJson(text);
  if (value === undefined) return { ok: false, message: "Not valid JSON yet." };
  const parsed = agentSchema.shape.output_schema.safeParse(value);
  if (!parsed.success || !parsed.data)
    return { ok: false, message: 'A schema is an object, e.g. { "type": "object" }.' };
  const mistake = findSchemaMistake(parsed.data);
  return mistake === null ? { ok: true, schema: parsed.data } : { ok: false, message: mistake };
}
