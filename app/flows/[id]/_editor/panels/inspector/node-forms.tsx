"use client";

import type { FormField } from "@/app/_kinds/form-field";
import { findKindView } from "@/app/_kinds/registry";
import type { Declaration } from "@/lib/core/flow/flow";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { NameField } from "./fields/name-field";
import { FormFieldRow } from "./forms/form-field-row";
import { FormHead } from "./forms/form-head";

export { NoteForm } from "./forms/note-form";

export function NodeForm({ declaration, node }: { declaration: Declaration; node: ArrangedNode }) {
  const kind = findKindView(declaration.type);
  if (!kind) return null;
  return (
    <div className="grid gap-3">
      <FormHead kind={declaration.type} title={kind.label} />
      <NameField name={declaration.name} />
      {kind.toForm(declaration).map((field) => (
        <FormFieldRow key={keyOf(field)} field={field} node={node} />
      ))}
    </div>
  );
}

const keyOf = (field: FormField): string => ("label" in field ? field.label : field.type);
