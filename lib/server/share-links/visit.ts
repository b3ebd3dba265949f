import "server-only";
import type { VisitorRun } from "@/lib/core/run/events/visitor-events";
import type { SharedTexts } from "@/lib/core/trace/file/shared-run";
import { AppError } from "../app-error";
import type { Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { takeRunOfLink } from "../http/rate-limit";
import { startRun } from "../runs/commands";
import { priorities } from "../runs/prepare-run";
import { exportSharedRun } from "../runs/read/export-run";
import { getRun } from "../runs/read/queries";
import { findRunOutput } from "../runs/store/payload-rows";
import {
  countView,
  type LinkedFlow,
  noSuchLink,
  type OpenLink,
  openLink,
  readLinkedFlow,
  readTeamName,
  toLinkViewer,
} from "./open-link";
import { readTexts } from "./share-links";

/** What a visitor of a link sees at first. */
export type SharedPage =
  /** `runsLeft`: how many runs visitors may still start; null: they may not. */
  | ({ type: "flow"; runsLeft: number | null } & LinkedFlow)
  | { type: "run"; name: string; team: string; texts: SharedTexts };

/** Opens a link, which counts as a view. Throws AppError `not_found`. */
export async function visitLink(token: string): Promise<SharedPage> {
  const link = await openLink(token);
  await countView(link);
  if (link.runId !== null)
    return { type: "run", name: link.flow.name, team: await readTeamName(link), texts: toTexts(link) };
  const runsLeft = link.maxRuns === 0 ? null : Math.max(0, link.maxRuns - link.startedRuns);
  return { type: "flow", ...(await readLinkedFlow(link)), runsLeft };
}

function toTexts(link: OpenLink): SharedTexts {
  const texts = readTexts(link.texts);
  return { inputs: texts.includes("inputs"), outputs: texts.includes("outputs"), tools: texts.includes("tools") };
}

/** The run of a link as a run file with the texts that it shares, in pieces. Throws AppError `not_found`. */
export async function writeSharedRun(token: string): Promise<AsyncIterable<string>> {
  const link = await openLink(token);
  if (link.runId === null) throw noSuchLink();
  return exportSharedRun(link.runId, toTexts(link));
}

/**
 * Starts a run of the flow of a link on an input: the published version, else the newest, with the link's limit of cost.
 * Throws AppError: `not_found`, `conflict` when the link's runs are used up, `rate_limited` for too many in a minute, and as
 * `startRun` does.
 */
export async function startRunByLink(token: string, input: string): Promise<{ id: string }> {
  const link = await openLink(token);
  if (link.runId !== null || link.maxRuns === 0) throw noSuchLink();
  takeRunOfLink(link.id);
  const db = await getDb();
  const { count } = await db.shareLink.updateMany({
    where: { id: link.id, revokedAt: null, startedRuns: { lt: link.maxRuns } },
    data: { startedRuns: { increment: 1 } },
  });
  if (count === 0)
    throw new AppError("conflict", "All runs of this link were used. Ask the person who sent it for a new one.");
  try {
    const options = { input, priority: priorities.background, maxCost: link.maxRunCost };
    return await startRun(toLinkViewer(link), link.flowId, options);
  } catch (error) {
    await db.shareLink.updateMany({ where: { id: link.id }, data: { startedRuns: { decrement: 1 } } });
    throw error;
  }
}

/** Who reads a run that was started by the link. Throws AppError `not_found`, also for other runs of the flow. */
export async function openRunOfLink(token: string, runId: string): Promise<{ viewer: Viewer; teamId: string }> {
  const link = await openLink(token);
  const viewer = toLinkViewer(link);
  const db = await getDb();
  const isOfLink = await db.run.count({ where: { id: runId, flowId: link.flowId, startedById: viewer.id } });
  if (isOfLink === 0) throw noSuchLink();
  return { viewer, teamId: link.teamId };
}

/** A run that was started by the link. Throws AppError `not_found`, also for other runs of the flow. */
export async function getRunByLink(token: string, runId: string): Promise<VisitorRun> {
  const { viewer } = await openRunOfLink(token, runId);
  const { status, output, error, simulated } = await getRun(viewer, runId);
  // What a run that did not succeed has got to is a step's, and may wait for an approval that was refused.
  const isAnswer = status === "SUCCESS";
  const whole = isAnswer && output.length !== undefined ? await findRunOutput(await getDb(), runId) : null;
  return {
    status,
    output: isAnswer ? (whole ?? output.text) : "",
    error: error && { code: error.code },
    simulated,
  };
}
