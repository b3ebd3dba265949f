import type { RunNode } from "@/lib/core/trace/run-state";
import { type Turn, toTurns } from "@/lib/core/trace/turns";
import type { TurnPage } from "@/lib/server/runs/turns";
import { fetchJson } from "../_ui/fetch-json";

export type { TurnPage } from "@/lib/server/runs/turns";

/** A place in the conversation of a run: behind the turns of some page. */
export type Cursor = TurnPage["next"];

/** Where the turns of a run are read from, page by page. Keep the object as long as the run is shown. */
export interface TurnSource {
  /** The turns behind `after`, null being the beginning. Rejects with an Error whose message can be shown. */
  turns(after: Cursor | null, signal: AbortSignal): Promise<TurnPage>;
}

const pageLength = 200;

/** The turns of a run of this server. */
export const serverTurns = (runId: string): TurnSource => ({
  turns: (after, signal) =>
    fetchJson(`/api/v1/runs/${runId}/turns?after=${after ?? 0}&limit=${pageLength}`, { signal, cache: "no-store" }),
});

/** The turns of a run whose steps are all here, as in an opened run file. */
export function turnsOfNodes(nodes: readonly RunNode[]): TurnSource {
  let all: readonly Turn[] | null = null;
  return {
    async turns(after) {
      all ??= toTurns(nodes);
      const from = after ?? 0;
      const next = Math.min(from + pageLength, all.length);
      return { turns: all.slice(from, next), next, more: next < all.length };
    },
  };
}
