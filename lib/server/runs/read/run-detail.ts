import "server-only";
import { type Payload, runStatusSchema } from "@/lib/core/run/events/events";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { listWarnings, type RunWarning } from "@/lib/core/run/events/warnings";
import { type PlannedNode, PlannedNodes } from "@/lib/core/run/plan/list-planned";
import { planFlow } from "@/lib/core/run/plan/resolve-flow";
import type { RunNode, RunState } from "@/lib/core/trace/model/run-state";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { type Db, getDb, oneState } from "../../db";
import { readRevision } from "../store/flow-cache";
import { readOpenState } from "../store/open-state";
import { assertReadableMoment, noSuchRun, type RunSummary, readOutput, readState, toSummary } from "../store/run-rows";
import { type RunStateHead, readEndedState, readStoredNodes, toHead } from "./ended-state";

/** A run with its steps; `warnings` has each warning in place of their number; `planned`: see `PlannedNodes`, empty once it has ended. */
export type RunDetail = Omit<RunSummary, "warnings"> & {
  output: Payload;
  warnings: RunWarning[];
  state: RunState;
  planned: PlannedNode[];
};

interface OpenRun {
  summary: Omit<RunSummary, "warnings"> & { output: Payload };
  state: RunStateHead;
  pages: AsyncIterable<readonly RunNode[]>;
  /** Missing: it has ended, or its flow cannot run. */
  planned?: PlannedNodes | undefined;
}

/** Throws AppError `not_found`, also for runs of other teams. */
async function openRun(viewer: Viewer, id: string): Promise<OpenRun> {
  const db = await getDb();
  const row = await db.run.findFirst({ where: { id, ...isInFlowOf(viewer, "runs:read") } });
  if (!row) throw noSuchRun();
  assertReadableMoment(row);
  if (hasEnded(row)) return openEnded(db, row);
  // Its row and its steps are of one moment; what there is already is read before, so that the transaction is short.
  const open = await readOpenState(db, id);
  const earlier = await readState(db, id, open);
  const { current, state, last } = await db.$transaction(async (tx) => {
    const latest = await tx.run.findFirst({ where: { id } });
    if (!latest) throw noSuchRun();
    const step = await tx.runNode.findFirst({
      where: { runId: id },
      orderBy: { nodeId: "desc" },
      select: { nodeId: true },
    });
    return { current: latest, state: await readState(tx, id, earlier), last: step?.nodeId ?? 0 };
  }, oneState);
  if (hasEnded(current)) return openEnded(db, current);
  const pages = open.seq === 0 ? toPage(state.nodes) : withLatest(readStoredNodes(db, id), state.nodes, last);
  const planned = await planRun(db, current);
  return { summary: toHeadSummary(current, state), state: toHead(state), pages, planned };
}

async function planRun(db: Db, { revisionId, teamId, startedById }: RunRow): Promise<PlannedNodes | undefined> {
  const revision = await db.revision.findUnique({ where: { id: revisionId }, select: { source: true } });
  if (!revision) return undefined;
  const flow = await readRevision(revisionId, revision.source, { teamId, userId: startedById, isOfRun: true });
  const root = planFlow(flow);
  return root ? new PlannedNodes(root) : undefined;
}

async function* toPage(nodes: readonly RunNode[]): AsyncGenerator<readonly RunNode[]> {
  yield nodes;
}

/** Steps up to a number as of one moment: by their rows, but `latest` where the rows may have gone on. */
async function* withLatest(
  pages: AsyncIterable<readonly RunNode[]>,
  latest: readonly RunNode[],
  last: number,
): AsyncGenerator<readonly RunNode[]> {
  const latestById = new Map(latest.map((node) => [node.id, node]));
  for await (const nodes of pages) {
    yield nodes.filter(({ id }) => id <= last).map((node) => latestById.get(node.id) ?? node);
    if ((nodes.at(-1)?.id ?? 0) >= last) return;
  }
}

const hasEnded = ({ status }: { status: string }): boolean => isTerminal(runStatusSchema.parse(status));

type RunRow = Awaited<ReturnType<Db["run"]["findUniqueOrThrow"]>>;

async function openEnded(db: Db, row: RunRow): Promise<OpenRun> {
  const state = await readEndedState(db, row);
  return { summary: toHeadSummary(row, state), state, pages: readStoredNodes(db, row.id) };
}

function toHeadSummary(row: RunRow, state: RunStateHead): OpenRun["summary"] {
  const { warnings: _, ...summary } = toSummary(row);
  return { ...summary, output: row.output === "" ? state.output : readOutput(row.output) };
}

/** A run with all of its steps. Throws AppError `not_found`, also for runs of other teams. */
export async function getRun(viewer: Viewer, id: string): Promise<RunDetail> {
  const { summary, state, pages, planned } = await openRun(viewer, id);
  const nodes: RunNode[] = [];
  for await (const page of pages) nodes.push(...page);
  for (const node of nodes) planned?.add(node);
  return {
    ...summary,
    state: { ...state, nodes },
    warnings: listWarnings(nodes),
    planned: [...(planned?.list() ?? [])],
  };
}

/** The same as JSON in pieces, of which one page of steps is held at a time. Throws AppError before the first piece. */
export async function writeRun(viewer: Viewer, id: string): Promise<AsyncIterable<string>> {
  return writePieces(await openRun(viewer, id));
}

async function* writePieces({ summary, state, pages, planned }: OpenRun): AsyncGenerator<string> {
  const warnings: RunWarning[] = [];
  let between = "";
  yield `${openObject(summary)},"state":${openObject(state)},"nodes":[`;
  for await (const nodes of pages) {
    warnings.push(...listWarnings(nodes));
    for (const node of nodes) planned?.add(node);
    if (nodes.length === 0) continue;
    yield between + nodes.map((node) => JSON.stringify(node)).join(",");
    between = ",";
  }
  yield `]},"warnings":${JSON.stringify(warnings)},"planned":${JSON.stringify([...(planned?.list() ?? [])])}}`;
}

/** The JSON of an object that has fields, without its end. */
const openObject = (value: object): string => JSON.stringify(value).slice(0, -1);
