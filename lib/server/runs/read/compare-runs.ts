import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type Payload, payloadSchema } from "@/lib/core/run/events/events";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import { usageSchema } from "@/lib/core/run/events/usage-schema";
import { alignSteps, type ComparedRow, type StepToCompare } from "@/lib/core/trace/model/align-steps";
import { fewestComparedRuns, mostComparedRuns } from "@/lib/core/trace/model/compared-runs";
import { AppError } from "../../app-error";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import type { FlowChange } from "../../cpu-worker/diff-lines";
import { runTask } from "../../cpu-worker/run-task";
import { isBusyError, isCostError } from "../../cpu-worker/worker-pool";
import { type Db, getDb } from "../../db";
import { findPayload } from "../store/payload-rows";
import { type RunSummary, readSummary, toStepHead } from "../store/run-rows";
import { type ForkOrigin, toForkOrigin } from "./fork-origin";
import { type ForkText, listForkTexts } from "./fork-texts";
import { readAgentsOfRevision } from "./revision-agents";

/** What became of a flow. `busy`: it was not compared, because too many flows are. */
export type ComparedFlow = FlowChange | { type: "busy" };

/** `changes`: what of a fork is different besides its flow. */
export type ComparedRun = RunSummary & { origin: ForkOrigin | null; changes: readonly ForkText[] };

export interface RunComparison {
  /** The first is the base: what the others are compared to. */
  runs: ComparedRun[];
  /** Of each other run: whether its input is the base's, and what became of the flow. */
  others: { sameInput: boolean; flow: ComparedFlow }[];
}

/** The ids of a list like `id,id`, each once. */
export const readRunIds = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((id) => id.trim())
      .filter(Boolean),
  ),
];

/** Two to six runs beside each other, and what became of their flow. Throws AppError: 400 too few or too many, 404 one is not there. */
export async function compareRuns(viewer: Viewer, ids: readonly string[]): Promise<RunComparison> {
  assertCount(ids);
  const db = await getDb();
  const rows = await db.run.findMany({
    where: { id: { in: [...ids] }, ...isInFlowOf(viewer, "runs:read") },
    omit: { messages: true, output: true, search: true },
  });
  const comparedRuns = ids.map((id) => rows.find((row) => row.id === id)).filter((row) => row !== undefined);
  assertAllFound(ids, comparedRuns.length);
  const [base, ...otherRuns] = comparedRuns;
  if (!base) throw new Error("a comparison has a base");
  const changes = await Promise.all(comparedRuns.map((row) => listForkTexts(db, row)));
  const otherIds = new Set(otherRuns.map(({ revisionId }) => revisionId).filter((id) => id !== base.revisionId));
  const flows = await compareFlows(db, viewer, base.revisionId, otherIds);
  return {
    runs: comparedRuns.map((row, index) => ({
      ...readSummary(row),
      origin: toForkOrigin(row),
      changes: changes[index] ?? [],
    })),
    others: otherRuns.map(({ input, revisionId }) => ({
      sameInput: input === base.input,
      flow: flows.get(revisionId) ?? { type: "same" },
    })),
  };
}

function assertCount(ids: readonly string[]): void {
  if (ids.length < fewestComparedRuns || ids.length > mostComparedRuns)
    throw new AppError(
      "bad_request",
      `A comparison needs ${fewestComparedRuns} to ${mostComparedRuns} different runs; the address names ${ids.length}.`,
    );
}

function assertAllFound(ids: readonly string[], foundCount: number): void {
  if (foundCount < ids.length)
    throw new AppError(
      "not_found",
      `${foundCount === 0 ? "None" : `Only ${foundCount}`} of the ${ids.length} runs can be found. The others may have been deleted, or belong to a team that you are not in.`,
    );
}

/** In milliseconds; with a longest search of half a second the rest is for what the thread does besides. */
const diffDeadlineMs = 3_000;
/** Longest comparison of all texts of a page, in milliseconds, with the time in which it waits for others. */
const comparisonMs = 10_000;
/**
 * Texts of one person that are compared at once: those of two pages of six flows. Work for a page goes on when its reader has
 * left: more would delay the person's next page.
 */
const maxComparedOfViewer = 10;
/** By viewer. */
const comparedCounts = new Map<string, number>();

/** What became of the base's flow, by revision. */
async function compareFlows(
  db: Db,
  { id: client }: Viewer,
  baseId: string,
  otherIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ComparedFlow>> {
  const count = (comparedCounts.get(client) ?? 0) + otherIds.size;
  if (count > maxComparedOfViewer) return new Map([...otherIds].map((id) => [id, { type: "busy" }]));
  comparedCounts.set(client, count);
  try {
    return await compareTexts(db, client, baseId, otherIds);
  } finally {
    const rest = (comparedCounts.get(client) ?? 0) - otherIds.size;
    if (rest > 0) comparedCounts.set(client, rest);
    else comparedCounts.delete(client);
  }
}

async function compareTexts(
  db: Db,
  client: string,
  baseId: string,
  otherIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ComparedFlow>> {
  if (otherIds.size === 0) return new Map();
  const where = { id: { in: [baseId, ...otherIds] } };
  const revisions = await db.revision.findMany({ where, select: { id: true, source: true } });
  const base = revisions.find(({ id }) => id === baseId);
  if (!base) throw new Error("the base has a revision");
  const signal = AbortSignal.timeout(comparisonMs);
  const options = { client, deadlineMs: diffDeadlineMs, signal };
  const others = revisions.filter((revision) => revision !== base);
  const flows = others.map(async ({ id, source: after }): Promise<[string, ComparedFlow]> => {
    const flow = await runTask("diff-lines", { before: base.source, after }, options).catch(
      (error: unknown): ComparedFlow => {
        if (isCostError(error)) return { type: "too-different" };
        if (isBusyError(error) || signal.aborted) return { type: "busy" };
        throw error;
      },
    );
    return [id, flow];
  });
  return new Map(await Promise.all(flows));
}

/** `agents`: names of agents in the order that gives them their colours; those of the base first. */
export interface ComparedSteps {
  rows: ComparedRow[];
  agents: string[];
}

/** The steps of such runs beside each other, figures only. Throws AppError like compareRuns. */
export async function compareSteps(viewer: Viewer, ids: readonly string[]): Promise<ComparedSteps> {
  assertCount(ids);
  const db = await getDb();
  const found = await db.run.findMany({
    where: { id: { in: [...ids] }, ...isInFlowOf(viewer, "runs:read") },
    select: { id: true, revisionId: true },
  });
  assertAllFound(ids, found.length);
  const runs: StepToCompare[][] = [];
  const agents = new Set<string>();
  for (const id of ids) {
    const revisionId = found.find((run) => run.id === id)?.revisionId;
    if (revisionId === undefined) continue;
    for (const name of (await readAgentsOfRevision(db, revisionId)).declared) agents.add(name);
    runs.push(await readSteps(db, id));
  }
  const rows = alignSteps(runs);
  for (const { kind, name } of rows) if (isAgentKind(kind)) agents.add(name);
  return { rows, agents: [...agents] };
}

/** Steps of one page: only their outputs' digests outlive it. */
const page = 500;

/** What a comparison reads from the body of a step. */
const comparedFactsSchema = z.object({
  usage: usageSchema,
  output: payloadSchema,
  metadata: z.object({ reused: z.boolean().optional() }).optional(),
});

async function readSteps(db: Db, runId: string): Promise<StepToCompare[]> {
  const steps: StepToCompare[] = [];
  const outputDigests = await readOutputDigests(db, runId);
  for (;;) {
    const rows = await db.runNode.findMany({
      where: { runId, nodeId: { gt: steps.at(-1)?.id ?? -1 } },
      orderBy: { nodeId: "asc" },
      take: page,
      omit: { facts: true },
    });
    for (const row of rows) {
      const { usage, output, metadata } = parseJsonAs(row.body, comparedFactsSchema);
      const { at: startedAt, ...head } = toStepHead(row);
      steps.push({
        ...head,
        durationMs: row.endedAt && row.endedAt.getTime() - startedAt,
        tokens: usage.input + usage.output,
        cost: usage.cost,
        isCostPartial: usage.isCostPartial,
        reused: metadata?.reused ?? false,
        output: outputDigests.get(head.id) ?? digest(output),
      });
    }
    if (rows.length < page) return steps;
  }
}

/** Digests of the outputs that are too large for their steps. */
async function readOutputDigests(db: Db, runId: string): Promise<Map<number, string>> {
  const outputDigests = new Map<number, string>();
  const large = await db.runPayload.findMany({ where: { runId, field: "output" }, select: { nodeId: true } });
  for (const { nodeId } of large) {
    const text = await findPayload(db, runId, nodeId, "output");
    if (text !== null) outputDigests.set(nodeId, digest({ text }));
  }
  return outputDigests;
}

const digest = ({ text }: Payload): string => createHash("sha1").update(text).digest("base64");
