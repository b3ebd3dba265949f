import "server-only";
import { randomUUID } from "node:crypto";
import { type Problem, runBlockersOf, simulationBlockersOf } from "@/lib/core/flow/problem";
import { AppError } from "../app-error";
import { isLiveFlowOf, listFlowAccess, type Viewer } from "../auth/viewer";
import { readFlowText } from "../cpu-worker/read-flow-text";
import { type Db, getDb } from "../db";
import { chooseRevision } from "../flows/choose-revision";
import { assertConfirmed } from "../flows/flow-reach";
import { toMissingFlowError } from "../flows/queries";
import { currentOffer, offerWith } from "../offer";
import { openTeamLimits } from "../teams/team-limits";
import { openAdmission } from "./admission";
import { getExecutor } from "./drive/executor";
import { requireOwnKeys, toOwnKeysColumn } from "./own-keys";
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
  /** The viewer's own keys are used where there are any, not the team's. */
  ownKeys?: boolean;
  /** What it may cost beside the limits of its flow, in US dollars; missing: no such limit. */
  maxCost?: number;
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
  const findOnce = ({ viewer, flowId, run }: RequestedRun) => {
    const { revision, simulate, ownKeys = false } = run;
    const key = JSON.stringify([
      viewer.id,
      viewer.roles.size,
      listFlowAccess(viewer, "runs:write"),
      flowId,
      revision,
      simulate,
      ownKeys,
    ]);
    const found = revisions.get(key) ?? findRunnable(db, viewer, { flowId, revision, simulate, ownKeys });
    revisions.set(key, found);
    return found;
  };
  const admission = openAdmission(db);
  const teamLimits = openTeamLimits(db);
  return Promise.allSettled(
    requested.map(async (request) => {
      const { unpriced, ...runnable } = await findOnce(request);
      const { simulate, maxCost, count = 1 } = request.run;
      await getExecutor().assertStorage();
      const allowance = await teamLimits.admit(runnable.teamId, { count, simulated: simulate });
      const costs = [maxCost, allowance.maxCost].filter((cost) => cost !== undefined);
      // Without a price the limit would have no effect.
      if (costs.length > 0 && !simulate) assertRunnable(unpriced);
      await admission.assert(count);
      const limits = {
        maxCost: costs.length === 0 ? null : Math.min(...costs),
        maxTokens: allowance.maxTokens ?? null,
      };
      return toRow(request, runnable, limits);
    }),
  );
}

interface Runnable {
  teamId: string;
  revisionId: string;
  flowName: string;
  /** That the prices of its models are not known, where it does not limit its tokens either. */
  unpriced: Problem[];
  /** As the column of a run. */
  ownKeys: string;
}

async function findRunnable(
  db: Db,
  viewer: Viewer,
  { flowId, revision, simulate, ownKeys }: { flowId: string } & Pick<NewRun, "revision" | "simulate" | "ownKeys">,
): Promise<Runnable> {
  const flow = await db.flow.findFirst({
    where: { id: flowId, ...isLiveFlowOf(viewer, "runs:write") },
    select: { teamId: true, revisionId: true, publishedId: true, reach: true },
  });
  if (!flow) throw await toMissingFlowError(viewer, flowId);
  const { teamId } = flow;
  const pinned = await db.revision.findFirst({
    where: { id: chooseRevision(flow, { revision, starterId: viewer.id }), flowId },
    select: { id: true, source: true },
  });
  if (!pinned) throw new AppError("not_found", "The flow has no such revision.");
  // With any limit of cost, models without a price are named.
  const own = ownKeys ? requireOwnKeys(viewer) : null;
  const offer = own ? offerWith(teamId, own) : currentOffer(teamId);
  const source = await readFlowText(
    pinned.source,
    { ...offer, costCeiling: offer.costCeiling ?? 0 },
    { teamId, userId: viewer.id },
  );
  assertRunnable(simulate ? simulationBlockersOf(source.problems) : runBlockersOf(source.problems));
  assertConfirmed(flow, source.flow);
  const hasTokenLimit = source.flow.limits.max_tokens !== undefined;
  const unpriced = hasTokenLimit ? [] : source.problems.filter(({ code }) => code === "unpriced-model");
  return {
    teamId,
    revisionId: pinned.id,
    flowName: source.flow.name.slice(0, 200),
    unpriced,
    ownKeys: toOwnKeysColumn(own),
  };
}

const toRow = (
  { viewer, flowId, run }: RequestedRun,
  runnable: Omit<Runnable, "unpriced">,
  limits: { maxCost: number | null; maxTokens: number | null },
) => ({
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
  ...limits,
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
