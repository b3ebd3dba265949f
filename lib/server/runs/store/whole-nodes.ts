import "server-only";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import type { Payload } from "@/lib/core/run/events/events";
import { findNode } from "@/lib/core/trace/model/fold-events";
import { type RunNode, storedMetadataSchema } from "@/lib/core/trace/model/run-state";
import type { Db } from "../../db";
import { findPayloadsOf } from "./payload-rows";
import { hasEnded, readStoredNode, storedNodeColumns } from "./readable-rows";
import { readState } from "./run-rows";
import type { PayloadField } from "./split-payloads";

/** Steps that are loaded at once; each holds the beginnings of its texts. */
const page = 200;

type WholeNodeReader = Pick<Db, "run" | "runNode" | "runEvent" | "runPayload">;

/**
 * The steps of a run in the order of their ids, with their texts whole. Holds one page of steps and the whole texts of
 * one step at a time. The text of a step that still runs is in the events alone, and is taken from there.
 */
export async function* readWholeNodes(db: WholeNodeReader, runId: string): AsyncGenerator<RunNode> {
  const run = await db.run.findUnique({ where: { id: runId }, select: { status: true } });
  if (!run) return;
  const running = hasEnded(run) ? null : await readState(db, runId);
  for (let after = 0; ; ) {
    const rows = await db.runNode.findMany({
      where: { runId, nodeId: { gt: after } },
      orderBy: { nodeId: "asc" },
      take: page,
      select: storedNodeColumns,
    });
    for (const row of rows) {
      const runningNode = running && !row.endedAt ? findNode(running, row.nodeId) : undefined;
      yield toWhole(db, runId, runningNode ?? readStoredNode(row));
      after = row.nodeId;
    }
    if (rows.length < page) return;
  }
}

/** The step with the texts and facts that its row holds only the beginnings of. */
export async function toWhole(db: Pick<Db, "runPayload">, runId: string, node: RunNode): Promise<RunNode> {
  const { id, request, response, reasoningLength, ...otherFields } = node;
  const isFactCut = node.metadata.cut === true;
  const texts = [node.input, node.output, request?.body, response];
  if (texts.every((text) => text?.length === undefined) && reasoningLength === undefined && !isFactCut) return node;
  const bodies = await findPayloadsOf(db, runId, id);
  // Only texts that were shortened are stored there: an earlier attempt may have left a longer one than the last.
  const toWholeText = (field: PayloadField, { text, length }: Payload): Payload => ({
    text: (length === undefined ? undefined : bodies.get(field)) ?? text,
  });
  const metadata = isFactCut ? bodies.get("metadata") : undefined;
  return {
    id,
    ...otherFields,
    input: toWholeText("input", node.input),
    output: toWholeText("output", node.output),
    reasoning: (reasoningLength === undefined ? undefined : bodies.get("reasoning")) ?? node.reasoning,
    ...(request && { request: { ...request, body: toWholeText("request", request.body) } }),
    ...(response && { response: toWholeText("response", response) }),
    ...(metadata !== undefined && { metadata: parseJsonAs(metadata, storedMetadataSchema) }),
  };
}
