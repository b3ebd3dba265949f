import {
  type ConversationEntry,
  firstEntryAt,
  toConversationEntries,
} from "@/lib/core/trace/conversation/conversation-entries";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import type { ConversationPage, ConversationQuery } from "@/lib/server/runs/read/conversation-queries";
import { fetchJson } from "../../_ui/loading/fetch-json";

export type {
  ConversationPage as TurnPage,
  ConversationQuery as TurnQuery,
} from "@/lib/server/runs/read/conversation-queries";

/** Where the turns of a run are read from, page by page. Keep the object as long as the run is shown. */
export interface TurnSource {
  /** Rejects with an Error whose message can be shown. */
  turns(query: ConversationQuery, signal: AbortSignal): Promise<ConversationPage>;
}

/** The first and the last turns of a run. */
export const fromBeginning: ConversationQuery = { after: 0 };
export const fromEnd: ConversationQuery = { before: 2 ** 31 - 1 };

const pageLength = 200;

/** The turns of a run of this server. */
export const serverTurns = (runId: string): TurnSource => ({
  turns: (query, signal) =>
    fetchJson(
      `/api/v1/runs/${runId}/turns?${Object.entries(query).map(([name, value]) => `${name}=${value}`)}&limit=${pageLength}`,
      { signal, cache: "no-store" },
    ),
});

/** The turns of a run whose steps are all here, as in an opened run file. */
export function turnsOfNodes(nodes: readonly RunNode[]): TurnSource {
  let all: readonly ConversationEntry[] | null = null;
  /** The place before the first word of a step; of one that says nothing, before what is said then. */
  const placeOf = (turns: readonly ConversationEntry[], id: number): number => {
    const node = nodes[id - 1];
    const own = turns.findIndex((turn) => turn.node === id);
    const place = own < 0 && node ? turns.findIndex(({ at }) => at >= firstEntryAt(node)) : own;
    return place < 0 ? turns.length : place;
  };
  return {
    async turns(query) {
      all ??= toConversationEntries(nodes);
      const first =
        "after" in query
          ? query.after
          : "before" in query
            ? Math.min(query.before, all.length) - pageLength
            : placeOf(all, query.node) - pageLength / 4;
      const previous = Math.max(0, first);
      const next = Math.min("before" in query ? query.before : previous + pageLength, all.length);
      return { turns: all.slice(previous, next), previous, next, earlier: previous > 0, more: next < all.length };
    },
  };
}
