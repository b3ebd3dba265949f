import "server-only";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import type { RunParameters } from "@/lib/core/flow/schemas/run-parameters";
import { type HumanInputAnswer, humanInputAnswerSchema } from "@/lib/core/run/events/events";
import { findMessageMistakes, type Message, messageSchema } from "@/lib/core/run/events/messages";
import { AppError } from "../app-error";
import { recordAudit, toAuditRow } from "../audit/record-audit";
import { isInFlowOf, type Viewer } from "../auth/viewer";
import { type Db, getDb, isUniqueViolation } from "../db";
import { waitForTurn } from "../event-loop-turns";
import { assertMayApprove } from "../teams/approval-rule";
import { assertArguments, assertUnchanged } from "./assert-arguments";
import { Batcher } from "./batcher";
import { addRuns } from "./drive/add-run";
import { cancelRuns } from "./drive/cancel-runs";
import { getExecutor } from "./drive/executor";
import { usedOwnKeys } from "./own-keys";
import { prepareRuns, priorities, type RequestedRun } from "./prepare-run";
import { getRunNode } from "./read/queries";
import { readParameters, writeParameters } from "./store/node-edits";
import { hasEnded } from "./store/readable-rows";
import { getRunHead, noSuchRun, readEvents } from "./store/run-rows";
import { tellProcesses } from "./store/tell-processes";

export interface StartOptions {
  input: string;
  messages?: readonly Message[] | undefined;
  /** As `chooseRevision` takes it. */
  revision?: string | undefined;
  /** The provider `demo` answers in place of every model: no key is needed. */
  simulate?: boolean | undefined;
  /** The viewer's own keys are used where there are any, not the team's. */
  ownKeys?: boolean | undefined;
  /** Limits of all its agents in place of their own. */
  parameters?: RunParameters | undefined;
  /** Missing: a new one. Prisma's unique violation is thrown when there is such a run. */
  id?: string;
  /** Lower begins first. */
  priority?: number;
  /** What it may cost beside the limits of its flow, in US dollars; missing: no such limit. */
  maxCost?: number;
}

/** Starts a run of a revision and returns at once. Throws AppError with the problems that block it. */
export async function startRun(
  viewer: Viewer,
  flowId: string,
  {
    input,
    messages = [],
    revision,
    simulate = false,
    ownKeys = false,
    parameters,
    id,
    priority = priorities.interactive,
    maxCost,
  }: StartOptions,
): Promise<{ id: string }> {
  const [mistake] = findMessageMistakes(messages);
  if (mistake !== undefined)
    throw new AppError("bad_request", `\`messages\`: ${mistake} Models refuse such a conversation.`);
  return starts.add({
    viewer,
    flowId,
    run: {
      ...{ input, messages: JSON.stringify(messages), revision, simulate, ownKeys },
      parameters: writeParameters(parameters),
      ...(maxCost !== undefined && { maxCost }),
    },
    row: { priority, ...(id !== undefined && { id }) },
  });
}

interface Start extends RequestedRun {
  row: { id?: string; priority: number };
}

/** Runs that are requested at about the same time are stored together: what a flood of requests waits for is few statements. */
const starts = new Batcher<Start, { id: string }>(startTogether, { most: 100, wait: () => waitForTurn("store") });

async function startTogether(requested: readonly Start[]): Promise<PromiseSettledResult<{ id: string }>[]> {
  const db = await getDb();
  const prepared = await prepareRuns(db, requested);
  const runs = prepared.flatMap((result, index) => {
    if (result.status === "rejected") return [];
    const { row, admission } = result.value;
    return [{ row: { ...row, ...requested[index]?.row }, admission }];
  });
  const added = (await addRuns(db, runs)).values();
  const missing: PromiseRejectedResult = { status: "rejected", reason: new Error("a prepared run has a result") };
  return prepared.map((result) => (result.status === "fulfilled" ? (added.next().value ?? missing) : result));
}

/** Starts a run of the same revision on the same input, messages and parameters, simulated if that one was. Throws AppError as `startRun` does. */
export async function runAgain(viewer: Viewer, runId: string): Promise<{ id: string }> {
  const db = await getDb();
  const run = await db.run.findFirst({
    where: { id: runId, ...isInFlowOf(viewer, "runs:read") },
    select: {
      ...{ flowId: true, revisionId: true, input: true, messages: true, parameters: true, simulated: true },
      ...{ ownKeys: true, startedById: true },
    },
  });
  if (!run) throw noSuchRun();
  const messages = parseJsonAs(run.messages, z.array(messageSchema));
  const simulate = await wasSimulated(db, { id: runId, simulated: run.simulated });
  return startRun(viewer, run.flowId, {
    input: run.input,
    messages,
    revision: run.revisionId,
    simulate,
    ownKeys: usedOwnKeys(viewer, run),
    parameters: readParameters(run.parameters),
  });
}

/** Whether the provider `demo` answered in place of all models: the mark of a run is set also by a single demo model. */
export async function wasSimulated(
  db: Pick<Db, "runEvent">,
  { id, simulated }: { id: string; simulated: boolean },
): Promise<boolean> {
  const [start] = simulated ? await readEvents(db, id, 0, 1) : [];
  return start?.type === "run.started" ? (start.simulated ?? false) : simulated;
}

/** A user's answer to a question; the user comes from the request. */
export const answerSchema = z.strictObject({
  decision: humanInputAnswerSchema.shape.decision,
  /** The number of the question, so that an answer never meets a later one. */
  question: z.number().int().positive(),
  reason: z.string().max(10_000).optional(),
  text: z.string().max(500_000).optional(),
});

/**
 * Answers a question that a step of a run waits with. Throws AppError: 404 no such step, 409 it does not wait, or was
 * answered, 403 an approval by who started the run where the team does not want it, 400 with the path for arguments that do
 * not fit the tool, and for another text where it can only be approved as it is.
 */
export async function answerQuestion(
  viewer: Viewer,
  runId: string,
  nodeId: number,
  { question, ...answer }: z.infer<typeof answerSchema>,
): Promise<void> {
  const { teamId, flowName, startedById, createdAt } = await getRunHead(viewer, runId, "runs:write");
  const node = await getRunNode(viewer, runId, nodeId);
  if (node.status !== "WAITING" || node.question?.number !== question)
    throw new AppError(
      "conflict",
      `"${node.name}" does not wait for this answer: it was given already, or the run went on.`,
    );
  if (answer.decision === "approved" && answer.text !== undefined) {
    if (node.question.fixed) assertUnchanged(answer.text, node.question);
    if (node.question.type === "tool") assertArguments(answer.text, node.question.schema);
  }
  const db = await getDb();
  if (node.question.type !== "question")
    await assertMayApprove(db, viewer, { teamId, startedById, startedAt: createdAt });
  const body: HumanInputAnswer = { ...answer, by: viewer.name };
  try {
    await db.$transaction([
      db.runAnswer.create({ data: { runId, question, body: JSON.stringify(body), at: new Date() } }),
      db.auditEvent.create({
        data: toAuditRow(viewer, {
          teamId,
          action: "run.answered",
          object: { type: "run", id: runId, name: flowName },
          detail: { step: node.path, type: node.question.type, decision: answer.decision },
        }),
      }),
    ]);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", `Another user has just answered "${node.name}".`);
  }
  await getExecutor().answer(runId);
  tellProcesses("asked", runId);
}

/** Asks a run to stop; one that has ended stays as it ended. Throws AppError `not_found`. */
export async function cancelRun(viewer: Viewer, runId: string): Promise<void> {
  const { status, teamId, flowName } = await getRunHead(viewer, runId, "runs:write");
  if (hasEnded({ status })) return;
  const db = await getDb();
  // First: calls are aborted although the database may take no write now.
  await cancelRuns(db, { id: runId });
  const object = { type: "run", id: runId, name: flowName } as const;
  await recordAudit(db, viewer, { teamId, action: "run.cancelled", object });
}
