import { beforeAll, describe, expect, test } from "vitest";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import { AppError } from "../app-error";
import { localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow, saveFlow } from "../flows/commands";
import { startServices } from "../start";
import { cancelRun, startRun } from "./commands";
import { streamRunEvents } from "./read/event-stream";
import { listRuns } from "./read/list-runs";
import { getRun, getRunFlow, getRunNode, readRunEvents } from "./read/queries";
import { newRow } from "./testing/insert-runs";
import { chain, waitForEnd } from "./testing/own-executors";
import { toReader } from "./testing/stream-reader";

const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const demo = `name: Two
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
swarm: { type: workflow, flow: a >> b }
`;
/** The events of a page alone. */
const listRunEvents = async (...args: Parameters<typeof readRunEvents>) => (await readRunEvents(...args)).events;

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

const codeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

describe("startRun", () => {
  test("runs a flow to its end and keeps every event", async () => {
    const { id: flowId } = await createFlow(localViewer, { source: demo });
    const { id } = await startRun(localViewer, flowId, { input: "Looms" });
    const run = await waitForEnd(id);
    expect(run).toMatchObject({ status: "SUCCESS", simulated: true, flowName: "Two", input: { text: "Looms" } });
    const events = await listRunEvents(localViewer, id, 0, 1000);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(run.state).toEqual(foldEvents(emptyRunState, events));
    for (const node of run.state.nodes) expect(await getRunNode(localViewer, id, node.id)).toEqual(node);
    const rows = await db.runNode.findMany({ where: { runId: id }, orderBy: { nodeId: "asc" } });
    expect(rows.map(({ path, status }) => [path, status])).toEqual(
      run.state.nodes.map(({ path, status }) => [path, status]),
    );
  });

  test("runs the revision that was asked for, whatever was saved since", async () => {
    const { id, revision } = await createFlow(localViewer, { source: demo });
    await saveFlow(localViewer, id, { source: demo.replace("a >> b", "b"), baseRevision: revision });
    const run = await waitForEnd((await startRun(localViewer, id, { input: "x", revision })).id);
    expect(run.revision).toBe(revision);
    expect(run.state.nodes.filter(({ kind }) => kind === "agent").map(({ name }) => name)).toEqual(["a", "b"]);
    expect(await codeOf(startRun(localViewer, id, { input: "x", revision: "none" }))).toBe("not_found");
  });

  test("returns the flow it runs, whatever was saved since, to its own team only", async () => {
    const layout = { pins: { a: { dx: 5, dy: 6 } } };
    const { id, revision } = await createFlow(localViewer, { source: demo, layout });
    const { id: runId } = await startRun(localViewer, id, { input: "x" });
    await saveFlow(localViewer, id, { source: demo.replace("a >> b", "b"), baseRevision: revision });
    expect(await getRunFlow(localViewer, runId)).toEqual({ source: demo, layout });
    expect(await codeOf(getRunFlow(stranger, runId))).toBe("not_found");
    expect(await codeOf(getRunFlow(localViewer, "none"))).toBe("not_found");
    await waitForEnd(runId);
  });

  test("refuses a flow that cannot run, and names what blocks it", async () => {
    const { id } = await createFlow(localViewer, { source: chain });
    const error = await startRun(localViewer, id, { input: "x" }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "bad_request", message: expect.stringContaining("COMPATIBLE_BASE_URL") });
    expect(await db.run.count({ where: { flowId: id } })).toBe(0);
  });
});

describe("what the list needs of a run", () => {
  const columns = (id: string) =>
    db.run.findUniqueOrThrow({
      where: { id },
      select: {
        startedById: true,
        startedBy: true,
        models: true,
        search: true,
        tokens: true,
        cost: true,
        errorCode: true,
      },
    });

  test("is kept from its start, and whole when it has ended", async () => {
    const { id: flowId } = await createFlow(localViewer, { source: demo });
    const long = `${"x".repeat(20_000)} NEEDLE`;
    const { id } = await startRun({ ...localViewer, id: "mia", name: "Mia" }, flowId, { input: long });
    expect((await listRuns(localViewer, { flow: flowId, q: "needle", person: "mia" })).runs).toHaveLength(1);
    const run = await waitForEnd(id);
    expect(run).toMatchObject({ startedBy: "Mia", models: ["demo:writer"], durationMs: expect.any(Number) });
    const kept = await columns(id);
    expect(kept).toMatchObject({ models: "\ndemo:writer\n", tokens: run.usage.input + run.usage.output, cost: 0 });
    expect(kept.search).toBe(`${long}\n${run.output.text}`.toLowerCase());
  });
});

describe("lists", () => {
  test("page by page through runs of the same moment, each once", async () => {
    const { id: flowId } = await createFlow(localViewer, { source: demo });
    const { revision } = await waitForEnd((await startRun(localViewer, flowId, { input: "0" })).id);
    const createdAt = new Date(Date.now() - 1000);
    for (let i = 0; i < 7; i++)
      await db.run.create({
        data: {
          ...newRow(),
          id: `same-${i}`,
          flowId,
          revisionId: revision,
          flowName: "Two",
          status: "SUCCESS",
          input: String(i),
          createdAt,
        },
      });
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const page = await listRuns(localViewer, { flow: flowId, limit: 3, before });
      seen.push(...page.runs.map((run) => run.input.text));
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(seen).toEqual(["0", "6", "5", "4", "3", "2", "1", "0"]);
    expect(await codeOf(listRuns(localViewer, { before: "nonsense" }))).toBe("bad_request");
  });
});

test("a run of another team is not there, for every door", async () => {
  const { id: flowId } = await createFlow(localViewer, { source: demo });
  const { id } = await startRun(localViewer, flowId, { input: "secret" });
  await waitForEnd(id);
  expect((await listRuns(stranger)).runs).toEqual([]);
  const doors = [
    startRun(stranger, flowId, { input: "x" }),
    getRun(stranger, id),
    getRunNode(stranger, id, 1),
    listRunEvents(stranger, id, 0, 10),
    streamRunEvents(toReader(stranger), id, 0),
    cancelRun(stranger, id),
  ];
  expect(await Promise.all(doors.map(codeOf))).toEqual(doors.map(() => "not_found"));
});
