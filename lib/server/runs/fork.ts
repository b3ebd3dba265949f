import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Flow } from "@/lib/core/flow/flow";
import { runBlockersOf } from "@/lib/core/flow/problem";
import type { RunEvent, RunEventOf } from "@/lib/core/run/events/events";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { FlowChange } from "@/lib/core/run/journal/find-altered-nodes";
import { findPassedApproval } from "@/lib/core/run/journal/find-passed-approval";
import { forkEvents } from "@/lib/core/run/journal/fork-events";
import { approvalAgainCode } from "@/lib/core/run/journal/journal";
import { listApprovedGates } from "@/lib/core/run/journal/list-approved-gates";
import type { NodeEdit } from "@/lib/core/run/ports/run-options";
import { readSource } from "@/lib/core/source/read-source";
import { mostComparedRuns } from "@/lib/core/trace/model/compared-runs";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { isInFlowOf, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { currentOffer } from "../offer";
import { hasOwnApproval } from "../teams/approval-rule";
import { lockAdmission, openAdmission } from "./admission";
import { assertRunnable } from "./assert-runnable";
import { wasSimulated } from "./commands";
import { wakeExecutor } from "./drive/add-run";
import { storeChanges } from "./drive/run-recorder";
import { usedOwnKeys } from "./own-keys";
import { prepareRun } from "./prepare-run";
import { getRunQueue } from "./queue/run-queue";
import { readRevision } from "./store/flow-cache";
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

/** Most forks that one request starts: with their parent they fit into one comparison. */
const mostForks = mostComparedRuns - 1;

/** A fork for each of several models of the same agent. A model that is named twice gets two runs. */
export const whatIfSchema = forkSchema.omit({ model: true, output: true }).extend({
  models: z.array(z.string().trim().min(1).max(500)).min(1).max(mostForks),
});
export type WhatIfRequest = z.infer<typeof whatIfSchema>;

/**
 * Starts a run that continues another one from a step: earlier steps are reused and not billed, the other run stays as it
 * is. Throws AppError: 404 no such run or step, 400 a change that the step does not take, or problems that block the flow.
 */
export async function forkRun(viewer: Viewer, runId: string, request: ForkRequest): Promise<{ id: string }> {
  const [run] = await forkRuns(viewer, runId, [request]);
  if (!run) throw new Error("a fork has a run");
  return run;
}

/** Starts such a run for each of the models, in their order: all of them or none. Throws AppError as `forkRun` does, and 429. */
export async function tryModels(
  viewer: Viewer,
  runId: string,
  { models, ...request }: WhatIfRequest,
): Promise<{ runs: { id: string }[] }> {
  const forks = models.map((model) => ({ ...request, model }));
  return { runs: await forkRuns(viewer, runId, forks) };
}

/** `requests` differ in the edit of their step alone. */
async function forkRuns(viewer: Viewer, runId: string, requests: readonly ForkRequest[]): Promise<{ id: string }[]> {
  const parent = await readParent(viewer, runId);
  const [first] = requests;
  if (!first) return [];
  const { node, output, revision = "recorded" } = first;
  const start = parent.events.find((event) => event.type === "node.started" && event.id === node);
  if (start?.type !== "node.started") throw new AppError("not_found", `The run has no step ${node}.`);
  const edits = requests.map((request) => {
    const edit = toEdit(start, request);
    const byPath = new Map(revision === "recorded" ? readEdits(parent.run.edits) : []);
    return edit ? byPath.set(start.path, { ...byPath.get(start.path), ...edit }) : byPath;
  });
  return startForks(viewer, parent, {
    revision: revision === "recorded" ? parent.run.revisionId : "latest",
    forkedAt: start.path,
    edits,
    point: { node, output },
    isChanged: hasChanges(first) || (revision === "current" && parent.run.edits !== null),
    action: "run.forked",
  });
}

const hasChanges = ({ input, instructions, model, output }: ForkRequest): boolean =>
  [input, instructions, model, output].some((change) => change !== undefined);

export const retrySchema = z.strictObject({ revision: forkSchema.shape.revision });

/**
 * Starts a run that does the steps again that did not succeed in an ended run; the others are reused and not billed.
 * Throws AppError: 404 no such run, 409 it has not ended, or succeeded, 400 problems that block the flow.
 */
export async function retryRun(
  viewer: Viewer,
  runId: string,
  { revision = "recorded" }: z.infer<typeof retrySchema> = {},
): Promise<{ id: string }> {
  const parent = await readParent(viewer, runId);
  const { status, revisionId, flowId } = parent.run;
  const db = await getDb();
  const flow = await db.flow.findUnique({ where: { id: flowId }, select: { revisionId: true } });
  const isSame = revision === "recorded" || flow?.revisionId === revisionId;
  const edits = isSame ? readEdits(parent.run.edits) : [];
  const end = parent.events.at(-1);
  if (end?.type !== "run.finished" || !isTerminal(end.status))
    throw new AppError("conflict", "The run has not ended: only the steps of an ended run can be tried again.");
  if (status === "SUCCESS") throw new AppError("conflict", "The run succeeded: there is no failed step to try again.");
  const forkedAt = end.error?.path ?? "/";
  const [run] = await startForks(viewer, parent, {
    revision: isSame ? revisionId : "latest",
    forkedAt,
    edits: [new Map(edits)],
    point: { node: null },
    isChanged: !isSame,
    action: "run.retried",
  });
  if (!run) throw new Error("a retry has a run");
  return run;
}

interface Parent {
  run: Awaited<ReturnType<typeof findRun>>;
  events: readonly RunEvent[];
}

async function findRun(db: Db, viewer: Viewer, id: string) {
  const run = await db.run.findFirst({ where: { id, ...isInFlowOf(viewer, "runs:write") } });
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
  { input, instructions, model, output }: ForkRequest,
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

interface Forks {
  revision: string | undefined;
  forkedAt: string;
  /** Of each fork, those that its parent ran with included. */
  edits: readonly ReadonlyMap<string, NodeEdit>[];
  point: { node: number | null; output?: string | undefined };
  /** Whether the fork differs from its parent, whichever revision it runs. */
  isChanged: boolean;
  action: "run.forked" | "run.retried";
}

/** Stores the forks in one transaction. */
async function startForks(
  viewer: Viewer,
  parent: Parent,
  { revision, forkedAt, edits, point, isChanged, action }: Forks,
): Promise<{ id: string }[]> {
  const db = await getDb();
  const { run } = parent;
  const simulate = await wasSimulated(db, run);
  const { input, messages, parameters } = run;
  const ownKeys = usedOwnKeys(viewer, run);
  const { row: prepared, admission } = await prepareRun(viewer, run.flowId, {
    ...{ input, messages, parameters, revision, simulate, ownKeys },
  });
  // Decided again when they are stored. Until then it saves the work for most that are refused.
  await openAdmission(db).admit(admission, edits.length);
  const models = new Set(edits.flatMap((byPath) => [...byPath.values()].map(({ model }) => model)));
  if (!simulate) for (const model of models) if (model !== undefined) assertModel(model, prepared.teamId);
  if (point.output !== undefined) assertNoApproval(await readFlow(db, prepared.revisionId), parent, point.node);
  const flows = await readFlows(db, run.revisionId, prepared.revisionId);
  const differs = isChanged || flows !== undefined;
  const isAskedAgain = differs || (await reusesOwnApproval(db, viewer, parent));
  const start = await readStart(db, parent, { ...point, flows, isChanged: isAskedAgain });
  const askedAgain = start.events.filter((event) => event.type === "node.noted" && event.code === approvalAgainCode);
  // An epoch above 0: its executor reads what is stored already.
  const shared = { ...prepared, epoch: 1, forkedFrom: run.id, forkedAt };
  const rows = edits.map((byPath) => ({ ...shared, id: randomUUID(), edits: writeEdits(byPath) }));
  await db.$transaction(
    async (tx) => {
      for (const row of rows) {
        await tx.run.create({ data: row });
        await storeChanges(tx, row.id, start);
        await recordAudit(tx, viewer, {
          teamId: row.teamId,
          action,
          object: { type: "run", id: row.id, name: row.flowName },
          detail: { from: run.id, step: forkedAt, changed: differs, approvalsAskedAgain: askedAgain.length },
        });
      }
      // At the end: other starts wait only for a count, not for the steps of a long run to be stored.
      await lockAdmission(tx);
      const storedIds = rows.map(({ id }) => id);
      const limits = await openAdmission(tx, { storedIds }).admit(admission, rows.length);
      await tx.run.updateMany({ where: { id: { in: storedIds } }, data: limits });
      for (const statement of getRunQueue().add(tx, rows)) await statement;
    },
    { timeout: storeMs * rows.length },
  );
  wakeExecutor();
  return rows.map(({ id }) => ({ id }));
}

/** Whether the parent has an approval that does not count in a run which the viewer starts. */
async function reusesOwnApproval(db: Db, viewer: Viewer, { run, events }: Parent): Promise<boolean> {
  const gates = listApprovedGates(events);
  if (gates.length === 0) return false;
  return hasOwnApproval(db, viewer, { teamId: run.teamId, gates, listRuns: () => listForked(db, run) });
}

/** The run and those that it is a fork of. */
async function listForked(db: Db, { id, forkedFrom }: Pick<Parent["run"], "id" | "forkedFrom">): Promise<string[]> {
  const runIds = [id];
  for (let before = forkedFrom; before !== null && !runIds.includes(before); ) {
    runIds.push(before);
    const above: { forkedFrom: string | null } | null = await db.run.findUnique({
      where: { id: before },
      select: { forkedFrom: true },
    });
    before = above?.forkedFrom ?? null;
  }
  return runIds;
}

/** Longest time to store one fork, in milliseconds. */
const storeMs = 20_000;

async function readFlow(db: Pick<Db, "revision">, id: string): Promise<Flow> {
  const select = { source: true, flow: { select: { teamId: true } } } as const;
  const { source, flow } = await db.revision.findUniqueOrThrow({ where: { id }, select });
  return readRevision(id, source, { teamId: flow.teamId });
}

/** The flows of a parent and its fork; undefined: they are one. */
async function readFlows(db: Db, before: string, after: string): Promise<FlowChange | undefined> {
  if (before === after) return undefined;
  return { before: await readFlow(db, before), after: await readFlow(db, after) };
}

/** Refuses an output that would take the place of an approval. Throws AppError 400. */
function assertNoApproval(flow: Flow, { events }: Parent, node: number | null): void {
  const approval = node === null ? null : findPassedApproval(flow, events, node);
  if (approval === null) return;
  const message = `This step is, contains, waits for or decides about the approval "${approval}": only a person's answer lets the run pass it, so that no \`output\` is taken here. Leave it out, or fork at another step.`;
  throw new AppError("bad_request", message);
}

/** What a fork of the parent begins with. */
async function readStart(
  db: Db,
  { run, events: parentEvents }: Parent,
  point: Forks["point"] & { isChanged: boolean; flows: FlowChange | undefined },
) {
  const { events: whole, sources } = forkEvents(parentEvents, { ...point, now: Date.now() });
  const split = whole.map((event) => splitPayloads(event));
  const events = split.map(({ event }) => event);
  const payloads = split.flatMap((each) => each.payloads.map((payload) => ({ ...payload, sameAs: null })));
  const reused = await readReusedTexts(db, run.id, new Map([...sources, [runPayloadId, runPayloadId]]));
  const replaced = new Set(payloads.map(({ nodeId, field }) => `${nodeId} ${field}`));
  const edited = new Set(events.flatMap((event) => (isEdited(event) ? [event.id] : [])));
  // What the parent's step answered is not what the fork's step was given.
  const isKept = ({ nodeId, field }: PayloadRow): boolean =>
    !replaced.has(`${nodeId} ${field}`) && (field === "input" || field === "request" || !edited.has(nodeId));
  const { nodes } = foldEvents(emptyRunState, events);
  return {
    events,
    nodes,
    payloads: [...reused.filter(isKept), ...payloads],
  };
}

const isEdited = (event: RunEvent): event is RunEventOf<"node.finished"> =>
  event.type === "node.finished" && event.metadata?.edited === true;

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
      // Of the run's own texts a fork has the input alone.
      if (nodeId === runPayloadId && field !== "input") continue;
      texts.push({ nodeId, field: fieldSchema.parse(field), body, sameAs: null });
    }
  }
  return texts;
}

const fieldSchema = z.enum(["input", "output", "request", "response", "reasoning", "metadata"]);
