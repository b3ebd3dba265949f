import {
  type ConversationEntry,
  type ConversationPage,
  conversationPageSchema,
  firstEntryAt,
  toConversationEntries,
} from "@/lib/core/trace/conversation/conversation-entries";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import type { ConversationQuery } from "@/lib/server/runs/read/conversation-queries";
import { fetchJson } from "../../_ui/loading/fetch-json";

export type { ConversationQuery } from "@/lib/server/runs/read/conversation-queries";

export interface TurnSource {
  /** Rejects with an Error whose message can be displayed. */
  turns(query: ConversationQuery, signal: AbortSignal): Promise<ConversationPage>;
}

export const fromBeginning: ConversationQuery = { after: 0 };
export const fromEnd: ConversationQuery = { before: 2 ** 31 - 1 };

const pageLength = 200;

export const serverTurns = (runId: string): TurnSource => ({
  turns: (query, signal) =>
    fetchJson(
      `/api/v1/runs/${runId}/turns?${Object.entries(query).map(([name, value]) => `${name}=${value}`)}&limit=${pageLength}`,
      conversationPageSchema,
      { signal, cache: "no-store" },
    ),
});

export function turnsOfNodes(nodes: readonly RunNode[]): TurnSource {
  let allTurns: readonly ConversationEntry[] | null = null;
  const findStart = (turns: readonly ConversationEntry[], id: number): number => {
    const node = nodes[id - 1];
    const ownIndex = turns.findIndex((turn) => turn.node === id);
    const index =
      ownIndex < 0 && node ? turns.findIndex(({ at: startedAt }) => startedAt >= firstEntryAt(node)) : ownIndex;
    return index < 0 ? turns.length : index;
  };
  return {
    async turns(query) {
      allTurns ??= toConversationEntries(nodes);
      const start =
        "after" in query
          ? query.after
          : "before" in query
            ? Math.min(query.before, allTurns.length) - pageLength
            : findStart(allTurns, query.node) - pageLength / 4;
      const previous = Math.max(0, start);
      const next = Math.min("before" in query ? query.before : previous + pageLength, allTurns.length);
      return {
        turns: allTurns.slice(previous, next),
        previous,
        next,
        earlier: previous > 0,
        more: next < allTurns.length,
      };
    },
  };
}
