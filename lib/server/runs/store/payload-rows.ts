import "server-only";
import type { RunEvent } from "@/lib/core/run/events/events";
import type { Db } from "../../db";
import { type PayloadField, runPayloadId, type StoredPayload } from "./split-payloads";

/** A payload as its row holds it: with its text, or with the name of the row that has the same one. */
export interface PayloadRow extends StoredPayload {
  sameAs: string | null;
}

/** How many texts of a run are compared with new ones. */
const mostShared = 50;

/**
 * Large texts of one run that are stored once: an answer is also the output of its agent, of every part around it and of
 * the run, and the input of what comes next.
 */
export class SharedTexts {
  /** Where each text is stored, as `<nodeId> <field>`. */
  readonly #owners = new Map<string, string>();

  /** The rows of an event's payloads. */
  toRows(event: RunEvent, payloads: readonly StoredPayload[]): PayloadRow[] {
    return payloads.map((payload) => {
      const owner = this.#owners.get(payload.body);
      if (owner !== undefined) return { ...payload, body: "", sameAs: owner };
      if (isFinal(event, payload.field)) this.#add(payload);
      return { ...payload, sameAs: null };
    });
  }

  #add({ nodeId, field, body }: StoredPayload): void {
    this.#owners.set(body, `${nodeId} ${field}`);
    const [oldest] = this.#owners.keys();
    if (this.#owners.size > mostShared && oldest !== undefined) this.#owners.delete(oldest);
  }
}

/** Whether the text never changes: another attempt replaces a request, a person the arguments of a tool call. */
const isFinal = (event: RunEvent, field: PayloadField): boolean =>
  event.type === "run.started" ||
  (event.type === "node.started" && event.kind !== "tool_call") ||
  (event.type === "node.finished" && field === "output");

type PayloadReader = Pick<Db, "runPayload">;

/** The whole text, or null when none is stored. */
export async function findPayload(
  db: PayloadReader,
  runId: string,
  nodeId: number,
  field: PayloadField,
): Promise<string | null> {
  const row = await db.runPayload.findUnique({
    where: { runId_nodeId_field: { runId, nodeId, field } },
    select: { body: true, sameAs: true },
  });
  return row && readBody(db, runId, row);
}

/** The output of the whole run, or null when it is not too long for the run's row. */
export const findRunOutput = (db: PayloadReader, runId: string): Promise<string | null> =>
  findPayload(db, runId, runPayloadId, "output");

/** All whole texts of a step, by field. */
export async function findPayloadsOf(
  db: PayloadReader,
  runId: string,
  nodeId: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.runPayload.findMany({
    where: { runId, nodeId },
    select: { field: true, body: true, sameAs: true },
  });
  const bodies = new Map<string, string>();
  for (const row of rows) bodies.set(row.field, await readBody(db, runId, row));
  return bodies;
}

async function readBody(
  db: PayloadReader,
  runId: string,
  { body, sameAs }: { body: string; sameAs: string | null },
): Promise<string> {
  const [nodeId, field] = sameAs?.split(" ") ?? [];
  if (nodeId === undefined || field === undefined) return body;
  const owner = await db.runPayload.findUnique({
    where: { runId_nodeId_field: { runId, nodeId: Number(nodeId), field } },
    select: { body: true },
  });
  return owner?.body ?? body;
}
