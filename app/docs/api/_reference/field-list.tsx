import { describeType, listFields } from "@/lib/server/api/schema-fields";

interface Parameter {
  name: string;
  schema: unknown;
  isRequired: boolean;
  note: string;
}

interface FieldListProps {
  title: string;
  note?: string;
  /** A JSON Schema. */
  schema?: unknown;
  /** In its place: parameters. */
  fields?: readonly Parameter[];
}

/** The fields of a schema, or parameters, with their types. */
export function FieldList({ title, note = "", schema, fields = [] }: FieldListProps) {
  const parameters = fields.map((field) => ({
    ...field,
    path: `${field.note} ${field.name}`,
    depth: 0,
    type: describeType(field.schema),
  }));
  const declared = schema === undefined ? [] : listFields(schema).map((field) => ({ ...field, note: "" }));
  const rows = [...parameters, ...declared];
  return (
    <div>
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium">
        {title}
        {schema !== undefined && <TypeText type={describeType(schema)} />}
        {note !== "" && <span className="font-normal text-text-muted">{note}</span>}
      </h3>
      {rows.length > 0 && (
        <ul className="mt-1.5 flex flex-col gap-1">
          {rows.map(({ path, name, depth, type, isRequired, note: rowNote }) => (
            <li key={path} style={{ paddingInlineStart: depth * 16 }} className="flex flex-wrap items-baseline gap-x-3">
              <code className="font-mono text-xs">
                {name}
                {!isRequired && <span className="text-text-muted">?</span>}
              </code>
              <TypeText type={type} />
              {rowNote !== "" && <span className="text-text-muted text-xs">in the {rowNote}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A type in which the names of schemas lead to them. */
const TypeText = ({ type }: { type: string }) => (
  <span className="font-mono font-normal text-text-muted text-xs [overflow-wrap:anywhere]">
    {[...type.matchAll(/"[^"]*"|[A-Z]\w+|[^"A-Z]+|./g)].map(({ 0: text, index: position }) =>
      /^[A-Z]\w/.test(text) ? (
        <a key={position} href={`#schema-${text}`} className="text-accent-text underline">
          {text}
        </a>
      ) : (
        text
      ),
    )}
  </span>
);
