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
import type { AdmissionRequest } from "./admission";
import { assertRunnable } from "./assert-runnable";
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
  /** Limits of all its agents, as its row holds them. */
  parameters?: string | null;
  /** What it may cost beside the limits of its flow, in US dollars; missing: no such limit. */
  maxCost?: number;
}

export interface RequestedRun {
  viewer: Viewer;
  flowId: string;
  run: NewRun;
}

/** A run that has not begun and is not admitted yet: its row, without the columns that `openAdmission` decides. */
export interface PreparedRun {
  row: Omit<ReturnType<typeof toRow>, "id" | "priority"> & { id: string; priority: number };
  admission: AdmissionRequest;
}

/** Prepares one run. Throws AppError: 404 no such flow or revision, 400 with the problems that block it. */
export async function prepareRun(viewer: Viewer, flowId: string, run: NewRun): Promise<PreparedRun> {
  const [result] = await prepareRuns(await getDb(), [{ viewer, flowId, run }]);
  if (result?.status !== "fulfilled") throw result?.reason;
  return result.value;
}

/** Runs as `prepareRun` returns them, or why there is none; what several of them need is read once. */
export function prepareRuns(db: Db, requested: readonly RequestedRun[]): Promise<PromiseSettledResult<PreparedRun>[]> {
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
  return Promise.allSettled(
    requested.map(async (request) => {
      const { unpriced, ...runnable } = await findOnce(request);
      await getExecutor().assertStorage();
      const { simulate: simulated, maxCost } = request.run;
      return { row: toRow(request, runnable), admission: { teamId: runnable.teamId, simulated, maxCost, unpriced } };
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
  assertConfirmed(flow, source.flow, { simulate });
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

const toRow = ({ viewer, flowId, run }: RequestedRun, runnable: Omit<Runnable, "unpriced">) => ({
  id: randomUUID(),
  ...runnable,
  flowId,
  status: "INIT",
  input: run.input,
  messages: run.messages,
  parameters: run.parameters ?? null,
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
