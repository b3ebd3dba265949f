import "server-only";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import type { RunEvent } from "@/lib/core/run/events/events";
import { Journal } from "@/lib/core/run/journal/journal";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import { type RunState, storedMetadataSchema } from "@/lib/core/trace/model/run-state";
import type { Db } from "../../db";
import { waitForTurn } from "../../event-loop-turns";
import { findPayloadsOf } from "../store/payload-rows";
import { readEvents } from "../store/run-rows";

/** Events that are read in one turn of the event loop. */
const readAtOnce = 500;

/** What earlier executors of a run stored of it. */
export interface StoredRun {
  journal: Journal;
  state: RunState;
}

/** Reads what earlier executors of a run stored, with whole texts, so that the run can be continued. */
export async function readStoredRun(db: Pick<Db, "runEvent" | "runPayload">, runId: string): Promise<StoredRun> {
  const journal = new Journal();
  let state = emptyRunState;
  /** By step whether its facts are shortened, too. */
  const shortened = new Map<number, boolean>();
  for (;;) {
    const events = await readEvents(db, runId, state.seq, readAtOnce);
    if (events.length === 0) break;
    for (const event of events) {
      journal.add(event);
      if (isShortened(event)) shortened.set(event.id, event.metadata?.cut === true);
    }
    state = foldEvents(state, events);
    await waitForTurn("run");
  }
  for (const { id, result } of journal.listEnded()) {
    if (!shortened.has(id)) continue;
    await waitForTurn("run");
    const texts = await findPayloadsOf(db, runId, id);
    const metadata = shortened.get(id) === true ? texts.get("metadata") : undefined;
    journal.setResult(id, {
      ...result,
      output: texts.get("output") ?? result.output,
      ...(metadata !== undefined && { metadata: parseJsonAs(metadata, storedMetadataSchema) }),
    });
  }
  return { journal, state };
}

const isShortened = (event: RunEvent): event is Extract<RunEvent, { type: "node.finished" }> =>
  event.type === "node.finished" && (event.output.length !== undefined || event.metadata?.cut === true);
