import type { FormField } from "@/app/_kinds/form-field";
import { findKindView } from "@/app/_kinds/registry";
import { Button } from "@/app/_ui/controls/button";
import { type Declaration, findDeclaration } from "@/lib/core/flow/flow";
import { findNote } from "@/lib/core/flow/note";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useEditorState, useSession } from "../../state/session-context";
import { NameField } from "./fields/name-field";
import { FormFieldRow } from "./forms/form-field-row";
import { FormHead } from "./forms/form-head";
import { NoteForm } from "./forms/note-form";
import { MultiSelection } from "./multi-selection";

export default function SelectionForm() {
  const [key = "", ...otherKeys] = useEditorState((state) => state.selection);
  const node = useEditorState(({ arrangement }) => arrangement.nodes.find((candidate) => candidate.key === key));
  const declaration = useEditorState(({ flow }) => node && findDeclaration(flow, node.name));
  const note = useEditorState(({ layout }) => findNote(layout.notes, key));
  if (otherKeys.length > 0) return <MultiSelection />;
  if (note) return <NoteForm key={note.id} note={note} />;
  if (!node) return null;
  if (!declaration) return <UndeclaredNode node={node} />;
  return <NodeForm key={node.name} declaration={declaration} node={node} />;
}

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

function UndeclaredNode({ node }: { node: ArrangedNode }) {
  const { actions } = useSession();
  return (
    <div className="grid gap-3">
      <h2 className="font-mono text-[13px] font-semibold">{node.name}</h2>
      <p className="text-text-muted">The flow contains this name, but it is not declared.</p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" variant="primary" data-inspector-first onClick={() => actions.declare(node.name)}>
          Declare as agent
        </Button>
        <Button size="small" variant="danger" onClick={actions.deleteSelection}>
          Remove from the flow
        </Button>
      </div>
    </div>
  );
}
