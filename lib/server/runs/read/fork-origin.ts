import "server-only";
import { readEdits } from "../store/node-edits";

/** Where a run continues another one, and what its step got instead of what it would have got. */
export interface ForkOrigin {
  runId: string;
  /** Path of the first step that is done again. */
  step: string;
  /** The model in place of the agent's own. */
  model: string | null;
  hasInput: boolean;
  hasInstructions: boolean;
}

/** Null: the run continues no other one. */
export function toForkOrigin(row: {
  forkedFrom: string | null;
  forkedAt: string | null;
  edits: string | null;
}): ForkOrigin | null {
  if (row.forkedFrom === null) return null;
  const step = row.forkedAt ?? "/";
  const edit = readEdits(row.edits)?.get(step);
  return {
    runId: row.forkedFrom,
    step,
    model: edit?.model ?? null,
    hasInput: edit?.input !== undefined,
    hasInstructions: edit?.instructions !== undefined,
  };
}
