import "server-only";
import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type Problem, runBlockersOf, simulationBlockersOf } from "@/lib/core/flow/problem";
import { type HumanInputAnswer, humanInputAnswerSchema } from "@/lib/core/run/events/events";
import { findMessageMistakes, type Message, messageSchema } from "@/lib/core/run/events/messages";
import { readSource } from "@/lib/core/source/read-source";
import { AppError } from "../app-error";
import { inTeamsOf, isLiveFlowOf, type Viewer } from "../auth/viewer";
import { type Db, getDb, isUniqueViolation } from "../db";
import { toMissingFlowError } from "../flows/queries";
import { currentOffer } from "../offer";
import { assertAdmission } from "./admission";
import { assertArguments } from "./assert-arguments";
import { addRun } from "./drive/add-run";
import { cancelRuns } from "./drive/cancel-runs";
import { getExecutor } from "./drive/executor";
import { getRunNode } from "./read/queries";
import { emptyUsage, getRunHead, noSuchRun, readEvents } from "./store/run-rows";
import { toSearchText } from "./store/search-columns";
import { tellProcesses } from "./store/tell-processes";

interface StartOptions {
  input: string;
  messages?: readonly Message[] | undefined;
  /** Missing: the newest. */
  revision?: string | undefined;
  /** The provider `demo` answers in place of every model: no key is needed. */
  simulate?: boolean | undefined;
  /** Missing: a new one. Prisma's unique violation is thrown when there is such a run. */
  id?: string;
  /** Lower begins first. */
  priority?: number;
}

/** The priority of a run: of one that a person waits for, and of one that a schedule or a webhook started. */
export const priorities = { interactive: 0, background: 10 } as const;

/** Starts a run of a revision, by default the head, and returns at once. Throws AppError with the problems that block it. */
export async function startRun(
  viewer: Viewer,
  flowId: string,
  { input, messages = [], revision, simulate = false, id, priority = priorities.interactive }: StartOptions,
): Promise<{ id: string }> {
  const [mistake] = findMessageMistakes(messages);
  if (mistake !== undefined)
    throw new AppError("bad_request", `\`messages\`: ${mistake} Models refuse such a conversation.`);
  return starts(async () => {
    const row = await prepareRun(viewer, flowId, { input, messages: JSON.stringify(messages), revision, simulate });
    const started = { ...row, priority, ...(id !== undefined && { id }) };
    await addRun(await getDb(), started);
    return { id: started.id };
  });
}

/** So many at once are checked and stored; in a rush the others wait here, and readers are answered in between. */
const starts = pLimit(4);

interface NewRun {
  input: string;
  /** As JSON. */
  messages: string;
  revision: string | undefined;
  simulate: boolean;
  /** How many such runs are to be stored together; missing: one. */
  count?: number;
}

/**
 * The row of a run that has not begun. Throws AppError: 404 no such flow or revision, 400 with the problems that block it,
 * 429 too many wait already.
 */
export async function prepareRun(
  viewer: Viewer,
  flowId: string,
  { input, messages, revision, simulate, count = 1 }: NewRun,
) {
  const db = await getDb();
  const flow = await db.flow.findFirst({ where: { id: flowId, ...isLiveFlowOf(viewer) } });
  if (!flow) throw await toMissingFlowError(viewer, flowId);
  const pinned = await db.revision.findFirst({ where: { id: revision ?? flow.revisionId ?? "", flowId } });
  if (!pinned) throw new AppError("not_found", "The flow has no such revision.");
  const source = readSource(pinned.source, currentOffer(flow.teamId));
  assertRunnable(simulate ? simulationBlockersOf(source.problems) : runBlockersOf(source.problems));
  await getExecutor().assertStorage();
  await assertAdmission(db, count);
  return {
    id: randomUUID(),
    teamId: flow.teamId,
    flowId,
    revisionId: pinned.id,
    flowName: source.flow.name.slice(0, 200),
    status: "INIT",
    input,
    messages,
    output: "",
    usage: emptyUsage,
    simulated: simulate,
    createdAt: new Date(),
    epoch: 0,
    cancelRequested: false,
    startedById: viewer.id,
    startedBy: viewer.name,
    cost: 0,
    search: toSearchText(input, ""),
    priority: priorities.interactive,
  };
}

/** Throws AppError 400 with the problems that block a flow, where there are any. */
export function assertRunnable(blockers: readonly Problem[]): void {
  const [first, ...others] = blockers;
  if (!first) return;
  throw new AppError(
    "bad_request",
    `The flow cannot run yet: ${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ""}`,
    {
      problems: blockers.map(({ code, message, provider }) => ({
        code,
        message,
        ...(provider !== undefined && { provider }),
      })),
    },
  );
}

/** Starts a run of the same revision on the same input and messages, simulated if that one was. Throws AppError as `startRun` does. */
export async function runAgain(viewer: Viewer, runId: string): Promise<{ id: string }> {
  const db = await getDb();
  const run = await db.run.findFirst({
    where: { id: runId, ...inTeamsOf(viewer) },
    select: { flowId: true, revisionId: true, input: true, messages: true, simulated: true },
  });
  if (!run) throw noSuchRun();
  const messages = parseJsonAs(run.messages, z.array(messageSchema));
  const simulate = await wasSimulated(db, { id: runId, simulated: run.simulated });
  return startRun(viewer, run.flowId, { input: run.input, messages, revision: run.revisionId, simulate });
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
 * answered, 400 with the path for arguments that do not fit the tool.
 */
export async function answerQuestion(
  viewer: Viewer,
  runId: string,
  nodeId: number,
  { question, ...answer }: z.infer<typeof answerSchema>,
): Promise<void> {
  const node = await getRunNode(viewer, runId, nodeId);
  if (node.status !== "WAITING" || node.question?.number !== question)
    throw new AppError(
      "conflict",
      `"${node.name}" does not wait for this answer: it was given already, or the run went on.`,
    );
  if (node.question.type === "tool" && answer.decision === "approved" && answer.text !== undefined)
    assertArguments(answer.text, node.question.schema);
  const body: HumanInputAnswer = { ...answer, by: viewer.name };
  const db = await getDb();
  try {
    await db.runAnswer.create({ data: { runId, question, body: JSON.stringify(body), at: new Date() } });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", `Another user has just answered "${node.name}".`);
  }
  await getExecutor().answer(runId);
  tellProcesses("asked", runId);
}

/** Asks a run to stop; one that has ended stays as it ended. Throws AppError `not_found`. */
export async function cancelRun(viewer: Viewer, runId: string): Promise<void> {
  await getRunHead(viewer, runId);
  await cancelRuns(await getDb(), { id: runId });
}
