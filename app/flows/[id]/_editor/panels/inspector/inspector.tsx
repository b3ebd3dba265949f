"use client";

import dynamic from "next/dynamic";
import type { KeyboardEvent } from "react";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { loadPart } from "@/app/_ui/loading/load-part";
import { findDeclaration } from "@/lib/core/flow/flow";
import { findNote } from "@/lib/core/flow/note";
import { leaveInspector } from "../../commands/open-inspector";
import { useEditorState, useSession } from "../../state/session-context";
import { MultiSelection } from "./multi-selection";
import { UndeclaredNode } from "./undeclared-node";

export const loadForms = () => loadPart(() => import("./node-forms"));
const waiting = () => <p className="text-text-muted text-xs">Loading the form…</p>;
const NodeForm = dynamic(() => loadForms().then(({ NodeForm: form }) => form), {
  ssr: false,
  loading: waiting,
});
const FlowSummary = dynamic(() => afterPaint().then(() => loadPart(() => import("./flow-summary"))), {
  ssr: false,
  loading: waiting,
});

const NoteForm = dynamic(() => loadForms().then(({ NoteForm: form }) => form), {
  ssr: false,
  loading: waiting,
});

export function Inspector() {
  const session = useSession();
  const leaveOnEscape = (event: KeyboardEvent<HTMLElement>): void => {
    // An open list over a field closes with the same key.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === "Escape" && isHere && !event.defaultPrevented) leaveInspector(session);
  };
  return (
    <section aria-label="Inspector" className="min-h-0 flex-1 overflow-y-auto p-3" onKeyDown={leaveOnEscape}>
      <InspectorBody />
    </section>
  );
}

function InspectorBody() {
  const selection = useEditorState((state) => state.selection);
  const node = useEditorState(({ arrangement }) => arrangement.nodes.find(({ key }) => key === selection[0]));
  const flow = useEditorState((state) => state.flow);
  const declaration = node ? findDeclaration(flow, node.name) : null;
  const note = useEditorState(({ layout }) => findNote(layout.notes, selection[0] ?? ""));
  if (selection.length > 1) return <MultiSelection />;
  if (note) return <NoteForm key={note.id} note={note} />;
  if (!node) return <FlowSummary />;
  if (!declaration) return <UndeclaredNode node={node} />;
  return <NodeForm key={node.name} declaration={declaration} node={node} />;
}
