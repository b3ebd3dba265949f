import { CircleX } from "lucide-react";
import { isPlace } from "@/lib/core/run/events";
import type { RunState } from "@/lib/core/trace/run-state";
import { Button } from "../_ui/button";

/** Why a run did not succeed, and the way to the step where it began. */
export function RunTrouble({ state, onSelect }: { state: RunState; onSelect(id: number): void }) {
  const { error } = state;
  if (!error) return null;
  const step =
    state.nodes.find((node) => node.path === error.path) ??
    state.nodes.find((node) => node.status === "FAILED" && !isPlace(node.kind));
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-danger-soft px-4 py-2 text-danger"
    >
      <CircleX size={16} aria-hidden className="shrink-0" />
      <p className="min-w-0 flex-1">
        <span className="font-medium">{step ? `“${step.name}”: ` : ""}</span>
        {error.message} <span className="font-mono text-xs">({error.code})</span>
      </p>
      {step && (
        <Button size="small" onClick={() => onSelect(step.id)}>
          Show the step
        </Button>
      )}
    </div>
  );
}
