import { FieldList } from "./field-list";

/** A schema that others refer to. */
export const SchemaEntry = ({ name, schema }: { name: string; schema: object }) => (
  <li id={`schema-${name}`} className="scroll-mt-4 px-4 py-3">
    <FieldList title={name} schema={schema} />
  </li>
);
