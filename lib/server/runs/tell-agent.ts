import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { runStatusSchema } from "@/lib/core/run/events/events";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import type { Viewer } from "../auth/viewer";
import { readFlowText } from "../cpu-worker/read-flow-text";
import { type Db, getDb, isUniqueViolation } from "../db";
import { assertMayChangeApproved } from "../teams/approval-rule";
import { getExecutor } from "./drive/executor";
import { getRunFlow } from "./read/queries";
import { getRunHead } from "./store/run-rows";
import { tellProcesses } from "./store/tell-processes";

/** How long the driver of a run is waited for, in milliseconds: longer than it takes to look at what its runs were asked for. */
const [patienceMs, lookMs] = [3_000, 20];

/**
 * Puts a message into the conversation of an agent that is at work, or before its first turn. It is stored first: a run that
 * waits for its turn, or whose process has died, gets it when it goes on. Throws AppError: 404 no such run or agent, 409 the run
 * or the agent has ended, 403 from who may not approve in a run with an approval. A message that is accepted and never read is
 * noted at the run's end.
 */
export async function tellAgent(viewer: Viewer, runId: string, agent: string, text: string): Promise<void> {
  const db = await getDb();
  const { teamId, flowName, startedById, createdAt } = await getRunHead(viewer, runId, "runs:write");
  const { source } = await getRunFlow(viewer, runId);
  const { flow } = await readFlowText(source, {}, { teamId, userId: viewer.id });
  await assertListening(db, { runId, agent, isDeclared: flow.agents.has(agent) });
  await assertMayChangeApproved(db, viewer, { id: runId, teamId, startedById, startedAt: createdAt });
  const number = await storeMessage(db, { runId, agent, text, by: viewer.name });
  const object = { type: "run", id: runId, name: flowName } as const;
  await recordAudit(db, viewer, { teamId, action: "run.messaged", object, detail: { agent } });
  tellProcesses("asked", runId);
  await getExecutor().look([runId]);
  const key = { runId_number: { runId, number } };
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(lookMs)) {
    const message = await db.runMessage.findUnique({ where: key, select: { takenAt: true } });
    if (message?.takenAt) return;
    const status = await readStatus(db, runId);
    if (status === "INIT") return;
    if (isTerminal(status)) break;
  }
  // A driver that takes it in this moment has it: then nothing is deleted.
  if (!isTerminal(await readStatus(db, runId))) return;
  const { count } = await db.runMessage.deleteMany({ where: { runId, number, takenAt: null } });
  if (count > 0) throw runEnded();
}

const runEnded = (): AppError => new AppError("conflict", "The run has ended and takes no message any more.");

async function readStatus(db: Db, runId: string) {
  const run = await db.run.findUnique({ where: { id: runId }, select: { status: true } });
  return runStatusSchema.parse(run?.status ?? "CANCELLED");
}

async function assertListening(
  db: Db,
  { runId, agent, isDeclared }: { runId: string; agent: string; isDeclared: boolean },
): Promise<void> {
  const where = { runId, kind: "agent", OR: [{ name: agent }, { path: agent }] };
  const steps = await db.runNode.groupBy({ by: ["status"], where });
  if (!isDeclared && steps.length === 0)
    throw new AppError(
      "not_found",
      `The run has no agent "${agent}": give a name that its flow declares, or a step's path.`,
    );
  if (isTerminal(await readStatus(db, runId))) throw runEnded();
  if (steps.length > 0 && steps.every(({ status }) => isTerminal(runStatusSchema.parse(status))))
    throw new AppError("conflict", `"${agent}" has ended and takes no message any more. Start another run to tell it.`);
}

/** Returns its number. */
async function storeMessage(
  db: Db,
  message: { runId: string; agent: string; text: string; by: string },
): Promise<number> {
  for (;;) {
    const last = await db.runMessage.aggregate({ where: { runId: message.runId }, _max: { number: true } });
    const number = (last._max.number ?? 0) + 1;
    try {
      await db.runMessage.create({ data: { ...message, number, at: new Date() } });
      return number;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }
}
