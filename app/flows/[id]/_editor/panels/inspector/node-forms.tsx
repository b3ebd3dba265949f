"use client";

import type { Declaration } from "@/lib/core/flow/flow";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { AgentForm } from "./forms/agent-form";
import { ContainerForm } from "./forms/container-form";
import { ControlForm } from "./forms/control-form";

export { NoteForm } from "./forms/note-form";

export function NodeForm({ declaration, node }: { declaration: Declaration; node: ArrangedNode }) {
  if (declaration.type === "agent") return <AgentForm agent={declaration} node={node} />;
  if (declaration.type === "group" || declaration.type === "swarm")
    return <ContainerForm declaration={declaration} node={node} />;
  return <ControlForm control={declaration} node={node} />;
}
