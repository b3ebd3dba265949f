import "server-only";
import { randomUUID } from "node:crypto";
import { type Problem, runBlockersOf, simulationBlockersOf } from "@/lib/core/flow/problem";
import { readSource } from "@/lib/core/source/read-source";
import { AppError } from "../app-error";
import { isLiveFlowOf, listFlowAccess, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { chooseRevision } from "../flows/choose-revision";
import { toMissingFlowError } from "../flows/queries";
import { currentOffer } from "../offer";
import { openAdmission } from "./admission";
import { getExecutor } from "./drive/executor";
import { emptyUsage } from "./store/run-rows";
import { toSearchText } from "./store/search-columns";

/** The priority of a run: of one that a person waits for, and of one that a schedule or a webhook started. */
export const priorities = { interactive: 0, background: 10 } as const;

interface NewRun {
  input: string;
  /** As JSON. */
  messages: string;
  /** As `chooseRevision` takes it. */
  revision: string | undefined;
  simulate: boolean;
  /** How many such runs are to be stored together; missing: one. */
  count?: number;
}

export interface RequestedRun {
  viewer: Viewer;
  flowId: string;
  run: NewRun;
}

/** The row of a run that has not begun. Throws AppError: 404 no such flow or revision, 400 with the problems that block it, 429 too many wait already. */
export async function prepareRun(viewer: Viewer, flowId: string, run: NewRun) {
  const [result] = await prepareRuns(await getDb(), [{ viewer, flowId, run }]);
  if (result?.status !== "fulfilled") throw result?.reason;
  return result.value;
}

/** The rows of runs as `prepareRun` returns them, or why there is none; what several of them need is read once. */
export function prepareRuns(db: Db, requested: readonly RequestedRun[]) {
  const revisions = new Map<string, ReturnType<typeof findRunnable>>();
  const findOnce = ({ viewer, flowId, run: { revision, simulate } }: RequestedRun) => {
    const key = JSON.stringify([
      viewer.id,
      viewer.roles.size,
      listFlowAccess(viewer, "runs:write"),
      flowId,
      revision,
      simulate,
    ]);
    const found = revisions.get(key) ?? findRunnable(db, viewer, { flowId, revision, simulate });
    revisions.set(key, found);
    return found;
  };
  const admission = openAdmission(db);
  return Promise.allSettled(
    requested.map(async (request) => {
      const runnable = await findOnce(request);
      await getExecutor().assertStorage();
      await admission.assert(request.run.count ?? 1);
      return toRow(request, runnable);
    }),
  );
}

interface Runnable {
  teamId: string;
  revisionId: string;
  flowName: string;
}

async function findRunnable(
  db: Db,
  viewer: Viewer,
  { flowId, revision, simulate }: { flowId: string; revision: string | undefined; simulate: boolean },
): Promise<Runnable> {
  const flow = await db.flow.findFirst({
    where: { id: flowId, ...isLiveFlowOf(viewer, "runs:write") },
    select: { teamId: true, revisionId: true, publishedId: true },
  });
  if (!flow) throw await toMissingFlowError(viewer, flowId);
  const { teamId } = flow;
  const pinned = await db.revision.findFirst({
    where: { id: chooseRevision(flow, { revision, starterId: viewer.id }), flowId },
    select: { id: true, source: true },
  });
  if (!pinned) throw new AppError("not_found", "The flow has no such revision.");
  const source = readSource(pinned.source, currentOffer(teamId));
  assertRunnable(simulate ? simulationBlockersOf(source.problems) : runBlockersOf(source.problems));
  return { teamId, revisionId: pinned.id, flowName: source.flow.name.slice(0, 200) };
}

const toRow = ({ viewer, flowId, run }: RequestedRun, runnable: Runnable) => ({
  id: randomUUID(),
  ...runnable,
  flowId,
  status: "INIT",
  input: run.input,
  messages: run.messages,
  output: "",
  usage: emptyUsage,
  simulated: run.simulate,
  createdAt: new Date(),
  epoch: 0,
  cancelRequested: false,
  startedById: viewer.id,
  startedBy: viewer.name,
  cost: 0,
  search: toSearchText(run.input, ""),
  priority: priorities.interactive,
});

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
