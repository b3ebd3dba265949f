import "server-only";
import { findJsonAs, parseJsonAs } from "@/lib/core/flow/parse-json";
import {
  type RunError,
  type RunNodeKind,
  runErrorSchema,
  runNodeKinds,
  runStatusSchema,
} from "@/lib/core/run/events/events";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { noUsage } from "@/lib/core/run/events/usage";
import { type RunNode, storedNodeSchema } from "@/lib/core/trace/model/run-state";
import { type SpanRow, spanFactsSchema } from "@/lib/core/trace/model/span-facts";
import { logger } from "../../log/logger";
import { type StepHeadRow, toStepHead, unreadableRun } from "./run-rows";

/** Whether a stored run goes on no more; one whose status cannot be read does not. */
export const hasEnded = ({ status }: { status: string }): boolean =>
  isTerminal(runStatusSchema.safeParse(status).data ?? "FAILED");

/** How a stored run stands. One that cannot be read has the error `unreadable`, and the status FAILED where it has no other. */
export function readStanding(run: { id: string; status: string; error: string | null }): {
  status: RunStatus;
  error?: RunError;
} {
  const status = runStatusSchema.safeParse(run.status).data;
  const error = run.error === null ? undefined : findJsonAs(run.error, runErrorSchema);
  if (status !== undefined && error !== null) return { status, ...(error && { error }) };
  const field = status === undefined ? "status" : "error";
  logger.error({ run: run.id, field }, "the row of a run cannot be read");
  return { status: status ?? "FAILED", error: unreadableRun };
}

/** The row of a step as traces show it. `olderFacts`: of rows that have none. A row that cannot be read is a failed step. */
export function readSpanRow(
  row: StepHeadRow & { runId: string; facts: string; endedAt: Date | null },
  olderFacts: SpanRow["facts"] | undefined,
): SpanRow {
  try {
    const facts = olderFacts ?? parseJsonAs(row.facts, spanFactsSchema);
    return { ...toStepHead(row), endedAt: row.endedAt?.getTime(), facts };
  } catch (error) {
    logger.error({ err: error, run: row.runId, step: row.nodeId }, "the row of a step cannot be read");
    const kind = toKnownKind(row.kind);
    const endedAt = (row.endedAt ?? row.startedAt).getTime();
    const head = toStepHead({ ...row, kind, status: "FAILED" });
    return { ...head, endedAt, facts: { code: unreadableRun.code } };
  }
}

/** What `readStoredNode` needs of the row of a step. */
export const storedNodeColumns = {
  ...{ runId: true, nodeId: true, parentId: true, path: true, kind: true, name: true, status: true },
  ...{ startedAt: true, endedAt: true, body: true },
} as const;

/** The row of a step with its texts. A row that cannot be read is a failed step without texts. */
export function readStoredNode(row: StepHeadRow & { runId: string; body: string; endedAt: Date | null }): RunNode {
  const node = findJsonAs(row.body, storedNodeSchema);
  if (node) return node;
  logger.error({ run: row.runId, step: row.nodeId }, "the row of a step cannot be read");
  const { at, parent, ...head } = toStepHead({ ...row, kind: toKnownKind(row.kind), status: "FAILED" });
  return {
    ...head,
    ...(parent !== undefined && { parent }),
    ...{ startedAt: at, endedAt: row.endedAt?.getTime() ?? at, input: { text: "" }, output: { text: "" } },
    ...{ reasoning: "", attempts: [], usage: noUsage, simulated: false, metadata: {}, error: unreadableStep },
  };
}

const unreadableStep: RunError = {
  code: unreadableRun.code,
  message: "The stored record of this step is damaged and cannot be read. The log of the server has the reason.",
};

const toKnownKind = (kind: string): RunNodeKind => runNodeKinds.find((known) => known === kind) ?? "agent";
