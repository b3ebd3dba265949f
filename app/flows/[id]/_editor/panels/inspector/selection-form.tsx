import { useEffect } from "react";
import type { FormField } from "@/app/_kinds/form-field";
import { KindIcon } from "@/app/_kinds/kind-icon";
import { colorOfName } from "@/app/_kinds/node-color";
import { findKindView } from "@/app/_kinds/registry";
import { AgentTile } from "@/app/_ui/badges/agent-tile";
import { Button } from "@/app/_ui/controls/button";
import { type Declaration, findDeclaration } from "@/lib/core/flow/flow";
import { findNote } from "@/lib/core/flow/note";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { idOfDeclaration } from "../../state/editor/follow-renames";
import { useEditorState, useOpenComments, useSession, useView } from "../../state/session-context";
import type { NodeTab } from "../../state/view";
import { NodeComments, toCommentsLabel } from "../comments/lazy-comments";
import { NameField } from "./fields/name-field";
import { FormFieldRow } from "./forms/form-field-row";
import { NoteForm } from "./forms/note-form";
import { DeclarationText } from "./frame/declaration-text";
import { EditableFields } from "./frame/editable-fields";
import { InspectorHead, useNodeMenu } from "./frame/inspector-head";
import { InspectorTabs } from "./frame/inspector-tabs";
import { LastRunDetail, LastRunFoot } from "./last-run/last-run";
import { MultiSelection } from "./multi-selection";

export default function SelectionForm() {
  const [key = "", ...otherKeys] = useEditorState((state) => state.selection);
  const node = useEditorState(({ arrangement }) => arrangement.nodes.find((candidate) => candidate.key === key));
  const declaration = useEditorState(({ flow }) => node && findDeclaration(flow, node.name));
  const id = useEditorState(({ ids }) => node && idOfDeclaration(ids, node.name));
  const note = useEditorState(({ layout }) => findNote(layout.notes, key));
  const { view } = useSession();
  const tab = useView(({ nodeTab }) => nodeTab);
  const setTab = (nodeTab: NodeTab): void => view.setState({ nodeTab });
  useEffect(() => () => view.setState({ nodeTab: "settings" }), [view]);
  if (otherKeys.length > 0)
    return (
      <EditableFields className="min-h-0 overflow-y-auto">
        <MultiSelection />
      </EditableFields>
    );
  if (note)
    return (
      <EditableFields className="min-h-0 overflow-y-auto">
        <NoteForm key={note.id} note={note} />
      </EditableFields>
    );
  if (!node) return null;
  if (!declaration) return <UndeclaredNode node={node} />;
  return <NodeForm key={id} declaration={declaration} node={node} tab={tab} onTab={setTab} />;
}

interface NodeFormProps {
  declaration: Declaration;
  node: ArrangedNode;
  tab: NodeTab;
  onTab(tab: NodeTab): void;
}

export function NodeForm({ declaration, node, tab, onTab }: NodeFormProps) {
  const kind = findKindView(declaration.type);
  const flow = useEditorState((state) => state.flow);
  const menu = useNodeMenu(kind?.label.toLowerCase() ?? "node");
  const { name } = declaration;
  const openComments = useOpenComments(({ nodes }) => nodes.get(name) ?? 0);
  if (!kind) return null;
  const isAgent = declaration.type === "agent";
  const form = (
    <EditableFields className="grid gap-3">
      {kind.toForm(declaration).map((field) => (
        <FormFieldRow key={keyOf(field)} field={field} node={node} />
      ))}
    </EditableFields>
  );
  return (
    <>
      <InspectorHead
        tile={
          isAgent ? (
            <AgentTile name={name} color={colorOfName(flow, name)} size="large" />
          ) : (
            <KindTile kind={declaration.type} />
          )
        }
        title={isAgent ? <NameField name={name} /> : <NameField name={name} detail={kind.label} />}
        menu={menu}
      />
      <InspectorTabs
        label={`${kind.label} ${name}`}
        active={tab}
        onChange={onTab}
        tabs={[
          { id: "settings", label: "Settings", content: form, foot: <LastRunFoot nodeKey={node.key} /> },
          { id: "last-run", label: "Last run", content: <LastRunDetail nodeKey={node.key} /> },
          { id: "text", label: "Text", content: <DeclarationText name={name} /> },
          { id: "comments", label: toCommentsLabel(openComments), content: <NodeComments key={name} name={name} /> },
        ]}
      />
    </>
  );
}

const KindTile = ({ kind }: { kind: string }) => (
  <span className="grid size-7.5 shrink-0 place-items-center rounded-md border border-line-strong text-text-muted">
    <KindIcon kind={kind} size={16} />
  </span>
);

const keyOf = (field: FormField): string => ("label" in field ? field.label : field.type);

function UndeclaredNode({ node }: { node: ArrangedNode }) {
  const { actions } = useSession();
  return (
    <>
      <InspectorHead
        tile={<KindTile kind="unknown" />}
        title={<h2 className="truncate font-semibold text-sm">{node.name}</h2>}
      />
      <div className="grid gap-3 px-3">
        <p className="text-text-muted">The flow contains this name, but it is not declared.</p>
        <EditableFields className="flex flex-wrap gap-2">
          <Button size="small" variant="primary" data-inspector-first onClick={() => actions.declare(node.name)}>
            Declare as agent
          </Button>
          <Button size="small" variant="danger" onClick={actions.deleteSelection}>
            Remove from the flow
          </Button>
        </EditableFields>
      </div>
    </>
  );
}
