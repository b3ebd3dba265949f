import "server-only";
import { isTerminal, type RunError, type RunEvent, type RunStatus } from "@/lib/core/run/events";
import { foldEvents } from "@/lib/core/trace/fold";
import type { RunState } from "@/lib/core/trace/run-state";
import type { Db } from "../db";
import { notifyRun } from "./notify";
import { splitPayloads, splitReasoning } from "./payloads";
import { toEventRow, toNodeRow, toRunRow } from "./recorder";
import { readState } from "./rows";

/**
 * Ends a run that nobody drives: closes its open nodes, appends the terminal event, keeps everything else. Compare and
 * set on the status (and the lease): two processes end it once, and a finished run is never written again.
 */
export async function endUnfinished(
  db: Db,
  end: {
    runId: string;
    from: readonly RunStatus[];
    leaseBefore?: Date;
    status: "FAILED" | "CANCELLED";
    error: RunError;
  },
): Promise<boolean> {
  const { runId, from, leaseBefore, status, error } = end;
  const ended = await db.$transaction(async (tx) => {
    const { count } = await tx.run.updateMany({
      where: { id: runId, status: { in: [...from] }, ...(leaseBefore ? { leaseUntil: { lt: leaseBefore } } : {}) },
      data: { epoch: { increment: 1 }, owner: null, leaseUntil: null, status: "RUNNING" },
    });
    if (count === 0) return false;
    const before = await readState(tx, runId);
    const split = closingEvents(before, Date.now(), status, error).map(splitPayloads);
    const events = split.map(({ event }) => event);
    const state = foldEvents(before, events);
    await tx.runEvent.createMany({ data: events.map((event) => toEventRow(runId, event)) });
    const closed = state.nodes.filter((node, index) => node !== before.nodes[index]);
    const payloads = [...split.flatMap((one) => one.payloads), ...closed.flatMap(splitReasoning)];
    if (payloads.length > 0) await tx.runPayload.createMany({ data: payloads.map((one) => ({ runId, ...one })) });
    await tx.runNode.deleteMany({ where: { runId, nodeId: { in: closed.map(({ id }) => id) } } });
    if (closed.length > 0) await tx.runNode.createMany({ data: closed.map((node) => toNodeRow(runId, node)) });
    const { input } = await tx.run.findUniqueOrThrow({ where: { id: runId }, select: { input: true } });
    const models = new Set(state.nodes.flatMap(({ kind, name }) => (kind === "llm_call" ? [name] : [])));
    await tx.run.updateMany({
      where: { id: runId },
      data: toRunRow(state, { models, input, output: state.output.text }),
    });
    return true;
  });
  if (ended) notifyRun(runId);
  return ended;
}

function closingEvents(state: RunState, now: number, status: "FAILED" | "CANCELLED", error: RunError): RunEvent[] {
  let seq = state.seq;
  const at = Math.max(now, ...state.nodes.slice(-1).map((node) => node.endedAt ?? node.startedAt));
  const open = state.nodes.filter((node) => !isTerminal(node.status)).toReversed();
  return [
    ...open.map(
      (node): RunEvent => ({
        seq: ++seq,
        at,
        type: "node.finished",
        id: node.id,
        status,
        output: node.output,
        usage: node.usage,
        error,
        ...(node.simulated ? { simulated: true } : {}),
      }),
    ),
    {
      seq: ++seq,
      at,
      type: "run.finished",
      status,
      output: state.output,
      usage: state.usage,
      error,
      ...(state.simulated ? { simulated: true } : {}),
    },
  ];
}
