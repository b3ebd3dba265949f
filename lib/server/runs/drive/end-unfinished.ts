import "server-only";
import type { Payload, RunError, RunEvent } from "@/lib/core/run/events/events";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { addUsage, type Usage } from "@/lib/core/run/events/usage";
import { foldEvents } from "@/lib/core/trace/model/fold-events";
import { findPartialOutputSteps, partialOutputSeparator } from "@/lib/core/trace/model/partial-output";
import type { RunNode, RunState } from "@/lib/core/trace/model/run-state";
import type { Db } from "../../db";
import { observeRunEnd } from "../../metrics/metrics";
import { notifyRun } from "../store/notify-run";
import { findPayload } from "../store/payload-rows";
import { readState } from "../store/run-rows";
import { splitPayloads, splitReasoning } from "../store/split-payloads";
import { estimateOpenCall } from "./estimate-open-call";
import type { Lease } from "./lease-observer";
import { storeChanges, toRunRow } from "./run-recorder";

/** How a run ends that its engine does not end. */
export interface Ending {
  status: "FAILED" | "CANCELLED";
  error: RunError;
}

/** What must be in the run's row, so that it is ended. */
interface Precondition {
  runId: string;
  from: readonly RunStatus[];
  lease?: Partial<Omit<Lease, "runId">>;
}

/**
 * Ends a run that is not driven any more: closes its open nodes, appends the terminal event, keeps everything else. Its
 * output, and that of each open step that holds others, is what the last steps in flow order produced (`findPartialOutputSteps`).
 * Compare and set on the status (and the lease): two processes end it once, and a finished run is never written again.
 */
export async function endUnfinished(
  db: Db,
  { runId, from: statuses, lease = {}, ...ending }: Precondition & Ending,
): Promise<boolean> {
  const end = await db.$transaction(async (tx) => {
    const { count } = await tx.run.updateMany({
      where: { ...lease, id: runId, status: { in: [...statuses] } },
      data: { epoch: { increment: 1 }, owner: null, leaseUntil: null, status: "RUNNING" },
    });
    if (count === 0) return null;
    const before = await readState(tx, runId);
    const outputs = await readKeptOutputs(tx, runId, before);
    const split = closingEvents(before, { outputs, usages: sumOpenUsage(before) }, Date.now(), ending).map((event) =>
      splitPayloads(event),
    );
    const events = split.map(({ event }) => event);
    const state = foldEvents(before, events);
    const closed = state.nodes.filter((node, index) => node !== before.nodes[index]);
    const payloads = [...split.flatMap((splitEvent) => splitEvent.payloads), ...closed.flatMap(splitReasoning)];
    const rows = payloads.map((payload) => ({ ...payload, sameAs: null }));
    await storeChanges(tx, runId, { events, payloads: rows, nodes: closed });
    const { input } = await tx.run.findUniqueOrThrow({ where: { id: runId }, select: { input: true } });
    const models = new Set(state.nodes.flatMap(({ kind, name }) => (kind === "llm_call" ? [name] : [])));
    const row = toRunRow(state, { models, input, output: outputs.get(null) ?? "" });
    await tx.run.updateMany({ where: { id: runId }, data: row });
    return { status: state.status, durationMs: row.durationMs ?? null };
  });
  if (!end) return false;
  observeRunEnd(end.status, end.durationMs);
  notifyRun(runId);
  return true;
}

/** The whole outputs that steps without one of their own, and the run (`null`), have by the steps inside them. */
async function readKeptOutputs(
  tx: Pick<Db, "runPayload">,
  runId: string,
  state: RunState,
): Promise<Map<number | null, string>> {
  const outputSteps = findPartialOutputSteps(state);
  const wholeOutputs = new Map<number, string>();
  for (const { id, output } of new Set([...outputSteps.values()].flat()))
    if (output.length !== undefined) wholeOutputs.set(id, (await findPayload(tx, runId, id, "output")) ?? output.text);
  const textOf = ({ id, output }: RunNode): string => wholeOutputs.get(id) ?? output.text;
  return new Map([...outputSteps].map(([id, steps]) => [id, steps.map(textOf).join(partialOutputSeparator)]));
}

/** What the run (`null`) and its open steps used, with their open calls. */
function sumOpenUsage(state: RunState): Map<number | null, Usage> {
  const usages = new Map<number | null, Usage>([[null, state.usage]]);
  const byId = new Map(state.nodes.map((node) => [node.id, node]));
  for (const call of state.nodes) {
    if (call.kind !== "llm_call" || isTerminal(call.status)) continue;
    const used = estimateOpenCall(call, state.simulated);
    usages.set(call.id, used);
    usages.set(null, addUsage(usages.get(null) ?? state.usage, used));
    for (let above = byId.get(call.parent ?? 0); above; above = byId.get(above.parent ?? 0))
      usages.set(above.id, addUsage(usages.get(above.id) ?? above.usage, used));
  }
  return usages;
}

function closingEvents(
  state: RunState,
  { outputs, usages }: { outputs: ReadonlyMap<number | null, string>; usages: ReadonlyMap<number | null, Usage> },
  now: number,
  { status, error }: Ending,
): RunEvent[] {
  const outputOf = (id: number | null, { text }: Payload): Payload => ({ text: text || (outputs.get(id) ?? "") });
  let seq = state.seq;
  const endedAt = Math.max(now, ...state.nodes.slice(-1).map((node) => node.endedAt ?? node.startedAt));
  const toEnd = (id: number | null, { output, usage, simulated }: RunNode | RunState) => ({
    seq: ++seq,
    at: endedAt,
    status,
    output: outputOf(id, output),
    usage: usages.get(id) ?? usage,
    error,
    ...(simulated && { simulated }),
  });
  const open = state.nodes.filter((node) => !isTerminal(node.status)).toReversed();
  return [
    ...open.map((node): RunEvent => ({ type: "node.finished", id: node.id, ...toEnd(node.id, node) })),
    { type: "run.finished", ...toEnd(null, state) },
  ];
}
