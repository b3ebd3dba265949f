"use client";

import type { KeyboardEvent } from "react";
import { findDeclaration } from "@/lib/core/flow/flow";
import { useEditorState } from "../session-context";
import { AgentForm } from "./agent-form";
import { ControlForm } from "./control-form";
import { FlowSummary } from "./flow-summary";
import { ManySummary } from "./many-summary";
import { PlaceForm } from "./place-form";
import { UnknownNote } from "./unknown-note";

/** Everything about what is selected, as a form. */
export function Inspector() {
  return (
    <section aria-label="Inspector" className="min-h-0 flex-1 overflow-y-auto p-3" onKeyDown={leaveOnEscape}>
      <InspectorBody />
    </section>
  );
}

/** Escape takes back what was being written (the field does that) and goes back to the canvas. */
function leaveOnEscape(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  event.preventDefault();
  document.getElementById("flow-canvas")?.focus();
}

function InspectorBody() {
  const selection = useEditorState((state) => state.selection);
  const node = useEditorState(({ arrangement }) => arrangement.nodes.find(({ key }) => key === selection[0]));
  const flow = useEditorState((state) => state.flow);
  const declaration = node ? findDeclaration(flow, node.name) : null;
  if (selection.length > 1) return <ManySummary count={selection.length} />;
  if (!node) return <FlowSummary />;
  if (!declaration) return <UnknownNote node={node} />;
  if (declaration.kind === "agent") return <AgentForm key={node.name} agent={declaration.value} node={node} />;
  if (declaration.kind === "group" || declaration.kind === "swarm")
    return <PlaceForm key={node.name} declaration={declaration} node={node} />;
  return <ControlForm key={node.name} control={declaration.value} node={node} />;
}
