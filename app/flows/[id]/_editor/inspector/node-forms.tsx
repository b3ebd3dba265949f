"use client";

import type { Declaration } from "@/lib/core/flow/flow";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { AgentForm } from "./agent-form";
import { ControlForm } from "./control-form";
import { PlaceForm } from "./place-form";

export { NoteForm } from "./note-form";

/** The form of one node, by what it is declared as. */
export function NodeForm({ declaration, node }: { declaration: Declaration; node: ArrangedNode }) {
  if (declaration.kind === "agent") return <AgentForm agent={declaration.value} node={node} />;
  if (declaration.kind === "group" || declaration.kind === "swarm")
    return <PlaceForm declaration={declaration} node={node} />;
  return <ControlForm control={declaration.value} node={node} />;
}
