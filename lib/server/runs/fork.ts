import "server-only";
import { z } from "zod";
import { runBlockersOf } from "@/lib/core/flow/problem";
import type { RunEvent, RunEventOf } from "@/lib/core/run/events/events";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { forkEvents } from "@/lib/core/run/journal/fork-events";
import type { NodeEdit } from "@/lib/core/run/ports/run-options";
import { readSource } from "@/lib/core/source/read-source";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import { AppError } from "../app-error";
import { inTeamsOf, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { currentOffer } from "../offer";
import { wasSimulated } from "./commands";
import { bringRun } from "./drive/add-run";
import { storeChanges } from "./drive/run-recorder";
import { assertRunnable, prepareRun } from "./prepare-run";
import { getRunQueue } from "./queue/run-queue";
import { readEdits, writeEdits } from "./store/node-edits";
import { findPayloadsOf, type PayloadRow } from "./store/payload-rows";
import { noSuchRun, readEvents } from "./store/run-rows";
import { runPayloadId, splitPayloads } from "./store/split-payloads";

/** Where a fork leaves its parent, and what is different from there on. */
export const forkSchema = z.strictObject({
  /** The number of the first step that is done again. */
  node: z.number().int().positive(),
  /** Its input text; of a tool call its arguments as JSON text. */
  input: z.string().max(500_000).optional(),
  /** Of an agent: in place of its own. */
  instructions: z.string().max(500_000).optional(),
  model: z.string().max(500).optional(),
  /** Its output: it is not done again. */
  output: z.string().max(500_000).optional(),
  /** `recorded`: the revision that the parent ran; `current`: the newest of the flow. */
  revision: z.enum(["recorded", "current"]).optional(),
});
export type ForkRequest = z.infer<typeof forkSchema>;

/**
 * Starts a run that continues another one from a step: earlier steps are reused and not billed, the other run stays as it
 * is. Throws AppError: 404 no such run or step, 400 a change that the step does not take, or problems that block the flow.
 */
export async function forkRun(
  viewer: Viewer,
  runId: string,
  { node, output, revision = "recorded", ...change }: ForkRequest,
): Promise<{ id: string }> {
  const parent = await readParent(viewer, runId);
  const start = parent.events.find((event) => event.type === "node.started" && event.id === node);
  if (start?.type !== "node.started") throw new AppError("not_found", `The run has no step ${node}.`);
  const edit = toEdit(start, change, output);
  const edits = new Map(revision === "recorded" ? readEdits(parent.run.edits) : []);
  if (edit) edits.set(start.path, { ...edits.get(start.path), ...edit });
  return startFork(viewer, parent, {
    revision: revision === "recorded" ? parent.run.revisionId : undefined,
    forkedAt: start.path,
    edits,
    point: { node, output },
  });
}

/**
 * Starts a run that does the steps again that did not succeed in an ended run; the others are reused and not billed.
 * Throws AppError: 404 no such run, 409 it has not ended, or succeeded, 400 problems that block the flow.
 */
export async function retryRun(viewer: Viewer, runId: string): Promise<{ id: string }> {
  const parent = await readParent(viewer, runId);
  const { status, revisionId, edits } = parent.run;
  const end = parent.events.at(-1);
  if (end?.type !== "run.finished" || !isTerminal(end.status))
    throw new AppError("conflict", "The run has not ended: only the steps of an ended run can be tried again.");
  if (status === "SUCCESS") throw new AppError("conflict", "The run succeeded: there is no failed step to try again.");
  const forkedAt = end.error?.path ?? "/";
  return startFork(viewer, parent, {
    revision: revisionId,
    forkedAt,
    edits: new Map(readEdits(edits)),
    point: { node: null },
  });
}

interface Parent {
  run: Awaited<ReturnType<typeof findRun>>;
  events: readonly RunEvent[];
}

async function findRun(db: Db, viewer: Viewer, id: string) {
  const run = await db.run.findFirst({ where: { id, ...inTeamsOf(viewer) } });
  if (!run) throw noSuchRun();
  return run;
}

async function readParent(viewer: Viewer, runId: string): Promise<Parent> {
  const db = await getDb();
  const run = await findRun(db, viewer, runId);
  const events: RunEvent[] = [];
  for (;;) {
    const page = await readEvents(db, runId, events.at(-1)?.seq ?? 0);
    if (page.length === 0) return { run, events };
    events.push(...page);
  }
}

function toEdit(
  { kind, path }: RunEventOf<"node.started">,
  { input, instructions, model }: Pick<ForkRequest, "input" | "instructions" | "model">,
  output: string | undefined,
): NodeEdit | undefined {
  const edit: NodeEdit = {
    ...(input !== undefined && { input }),
    ...(instructions !== undefined && { instructions }),
    ...(model !== undefined && { model }),
  };
  if (Object.keys(edit).length === 0) return undefined;
  if (output !== undefined)
    throw new AppError("bad_request", "A step with an `output` is not done again: leave out what it would get.");
  if ((instructions !== undefined || model !== undefined) && !isAgentKind(kind))
    throw new AppError("bad_request", `\`instructions\` and \`model\` are those of agents; "${path}" is none.`);
  if (input !== undefined && (kind === "llm_call" || kind === "handoff" || kind === "round" || path === "/"))
    throw new AppError("bad_request", `The input of "${path}" follows from the steps before it and cannot be changed.`);
  return edit;
}

/** Refuses a model that a flow with it would be refused for, before anything is stored. Throws AppError 400 with the problems. */
function assertModel(model: string, teamId: string): void {
  const source = `agents: { agent: { model: ${JSON.stringify(model)} } }\nswarm: { flow: agent }\n`;
  assertRunnable(runBlockersOf(readSource(source, currentOffer(teamId)).problems));
}

interface Fork {
  revision: string | undefined;
  forkedAt: string;
  /** Those that its parent ran with included. */
  edits: ReadonlyMap<string, NodeEdit>;
  point: { node: number | null; output?: string | undefined };
}

async function startFork(
  viewer: Viewer,
  { run, events: parentEvents }: Parent,
  { revision, forkedAt, edits, point }: Fork,
): Promise<{ id: string }> {
  const db = await getDb();
  const simulate = await wasSimulated(db, run);
  const { input, messages } = run;
  const row = await prepareRun(viewer, run.flowId, { input, messages, revision, simulate });
  if (!simulate) for (const { model } of edits.values()) if (model !== undefined) assertModel(model, row.teamId);
  const { events: whole, sources } = forkEvents(parentEvents, { ...point, now: Date.now() });
  const split = whole.map(splitPayloads);
  const events = split.map(({ event }) => event);
  const payloads = split.flatMap((each) => each.payloads.map((payload) => ({ ...payload, sameAs: null })));
  const reused = await readReusedTexts(db, run.id, new Map([...sources, [runPayloadId, runPayloadId]]));
  const replaced = new Set(payloads.map(({ nodeId, field }) => `${nodeId} ${field}`));
  const { nodes } = foldEvents(emptyRunState, events);
  await db.$transaction(async (tx) => {
    // An epoch above 0: its executor reads what is stored already.
    await tx.run.create({ data: { ...row, epoch: 1, forkedFrom: run.id, forkedAt, edits: writeEdits(edits) } });
    await storeChanges(tx, row.id, {
      events,
      nodes,
      payloads: [...reused.filter(({ nodeId, field }) => !replaced.has(`${nodeId} ${field}`)), ...payloads],
    });
    for (const statement of getRunQueue().add(tx, [row])) await statement;
  });
  bringRun(row.id);
  return { id: row.id };
}

/** Whole texts of reused steps. `sources`: ids in the parent by ids in the fork. */
async function readReusedTexts(
  db: Pick<Db, "runPayload">,
  parentId: string,
  sources: ReadonlyMap<number, number>,
): Promise<PayloadRow[]> {
  const rows = await db.runPayload.findMany({
    where: { runId: parentId },
    select: { nodeId: true },
    distinct: ["nodeId"],
  });
  const stored = new Set(rows.map(({ nodeId }) => nodeId));
  const texts: PayloadRow[] = [];
  for (const [nodeId, source] of sources) {
    if (!stored.has(source)) continue;
    for (const [field, body] of await findPayloadsOf(db, parentId, source)) {
      if (nodeId === runPayloadId && field === "output") continue;
      texts.push({ nodeId, field: fieldSchema.parse(field), body, sameAs: null });
    }
  }
  return texts;
}

const fieldSchema = z.enum(["input", "output", "request", "response", "reasoning", "metadata"]);
