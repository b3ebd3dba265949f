import "server-only";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { dropEndedNodes, emptyRunState } from "@/lib/core/trace/model/fold-events";
import { type RunNode, type RunState, runStateSchema } from "@/lib/core/trace/model/run-state";
import type { Db } from "../../db";
import type { PayloadRow } from "./payload-rows";
import { runPayloadId } from "./split-payloads";

/** Shorter runs are read by their events: that takes less than a tenth of a second. */
const fewestEvents = 2_000;

/** The longest that is stored, in UTF-16 units: what comes after the one before is read by its events. */
const longest = 1_000_000;

const field = "state";

/**
 * What a reader of a long run begins with in place of all its events: the state as of an event, of whose steps only those
 * that are under way; the others are in their rows. Null: nothing is stored.
 */
export function toOpenState(state: RunState): PayloadRow | null {
  if (state.seq < fewestEvents) return null;
  const open = dropEndedNodes(state);
  if (!isTerminal(state.status) && isLonger(open.nodes)) return null;
  const body = isTerminal(state.status) ? "" : JSON.stringify(open);
  return body.length > longest ? null : { nodeId: runPayloadId, field, body, sameAs: null };
}

/** Whether the texts of these steps alone are too long: a run with thousands of steps under way has hundreds of megabytes. */
function isLonger(nodes: readonly RunNode[]): boolean {
  let units = 0;
  for (const { input, output, request, response, reasoning } of nodes) {
    for (const payload of [input, output, request?.body, response]) units += payload?.text.length ?? 0;
    units += reasoning.length;
    if (units > longest) return true;
  }
  return false;
}

/** The newest that is stored, else that of a run of which no event is known. */
export async function readOpenState(db: Pick<Db, "runPayload">, runId: string): Promise<RunState> {
  const row = await db.runPayload.findUnique({
    where: { runId_nodeId_field: { runId, nodeId: runPayloadId, field } },
    select: { body: true },
  });
  return row && row.body !== "" ? parseJsonAs(row.body, runStateSchema) : emptyRunState;
}
