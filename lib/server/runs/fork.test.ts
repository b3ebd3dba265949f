import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as sleepFor } from "node:timers/promises";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { Trace } from "@/lib/core/trace/model/trace";
import { applyBatch, toBatch } from "@/lib/core/trace/model/trace-batch";
import { fromTraceSnapshot } from "@/lib/core/trace/model/trace-snapshot";
import { AppError } from "../app-error";
import { localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow, saveFlow } from "../flows/commands";
import { startServices } from "../start";
import { startRun } from "./commands";
import { forkRun, retryRun, tryModels, whatIfSchema } from "./fork";
import { getAgentSettings } from "./read/agent-settings";
import { compareRuns, compareSteps } from "./read/compare-runs";
import { listForks } from "./read/list-forks";
import { getRun, getRunNode } from "./read/queries";
import { getShownRun, getTraceSnapshot } from "./read/trace-queries";
import { readEvents } from "./store/run-rows";

const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const chain = `name: Chain
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
  c: { model: "demo:writer" }
swarms:
  inner: { flow: b >> c }
swarm: { type: workflow, flow: a >> inner }
`;

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

async function ended(id: string) {
  for (;;) {
    const run = await getRun(localViewer, id);
    if (isTerminal(run.status)) return run;
    await sleepFor(5);
  }
}

async function runOf(source: string, input = "Weave a carpet.") {
  const { id, revision } = await createFlow(localViewer, { source });
  const run = await ended((await startRun(localViewer, id, { input })).id);
  return { run, flowId: id, revision, stepOf: (path: string) => findStep(run, path) };
}

function findStep(run: Awaited<ReturnType<typeof ended>>, path: string) {
  const step = run.state.nodes.find((node) => node.path === path);
  if (!step) throw new Error(`no step ${path}`);
  return step;
}

const rowsOf = async (runId: string) => [
  await db.run.findUnique({ where: { id: runId } }),
  await db.runEvent.findMany({ where: { runId }, orderBy: { seq: "asc" } }),
  await db.runNode.findMany({ where: { runId }, orderBy: { nodeId: "asc" } }),
  await db.runPayload.findMany({ where: { runId }, orderBy: [{ nodeId: "asc" }, { field: "asc" }] }),
];

const countRows = (): Promise<number[]> =>
  Promise.all([db.run.count(), db.runEvent.count(), db.runNode.count(), db.runPayload.count()]);

const problemOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : error),
  );

describe("a fork", () => {
  test("reuses the steps before a step inside a nested swarm, unbilled, and leaves its parent as it is", async () => {
    const { run, stepOf } = await runOf(chain, "x".repeat(40_000));
    const before = await rowsOf(run.id);
    const { id } = await forkRun(localViewer, run.id, { node: stepOf("inner/c").id });
    const fork = await ended(id);
    expect([fork.status, fork.usage.calls]).toEqual(["SUCCESS", 1]);
    for (const path of ["a", "inner/b", "inner/b#llm-1"])
      expect(findStep(fork, path)).toMatchObject({ metadata: { reused: true }, usage: { calls: 0 } });
    expect(findStep(fork, "inner/c#llm-1").metadata.reused).toBeUndefined();
    const spans = ["a", "a#llm-1", "inner/b", "inner/b#llm-1"].map((path) => findStep(fork, path).id - 1);
    const live = new Trace();
    applyBatch(live, toBatch(await readEvents(db, id, 0)) ?? { seq: 0 });
    const stored = fromTraceSnapshot(await getTraceSnapshot(localViewer, id));
    for (const { reused } of [live, stored]) expect([...reused].toSorted((a, b) => a - b)).toEqual(spans);
    const { id: first, startedAt, endedAt } = stepOf("a");
    for (const { ran } of [live, stored]) expect(ran.get(first - 1)).toEqual([startedAt, endedAt]);
    const source = await getRunNode(localViewer, run.id, stepOf("a").id);
    const reused = await getRunNode(localViewer, id, findStep(fork, "a").id);
    expect([reused.input.text, reused.output]).toEqual(["x".repeat(40_000), source.output]);
    expect(await rowsOf(run.id)).toEqual(before);
    const row = await db.run.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ forkedFrom: run.id, forkedAt: "inner/c", input: run.input.text.padEnd(40_000, "x") });
  });

  test.each([
    ["demos:writer", /^bad_request.*"demos"/],
    ["openai:gpt-5.5", /^bad_request.*OPENAI_API_KEY/],
    ['x"\n}', /^bad_request/],
  ])("with the model %j, which no run can ask, is refused before anything is stored", async (model, problem) => {
    const { run, stepOf } = await runOf(chain);
    const count = await db.run.count();
    expect(await problemOf(forkRun(localViewer, run.id, { node: stepOf("inner/c").id, model }))).toMatch(problem);
    expect(await db.run.count()).toBe(count);
  });

  test("passes an edited input, instructions, model or output on to what follows", async () => {
    const { run, stepOf } = await runOf(chain);
    const edited = await forkRun(localViewer, run.id, {
      node: stepOf("inner/b").id,
      input: "Knot a net.",
      model: "demo:critic",
    });
    const fork = await ended(edited.id);
    expect(findStep(fork, "inner/b").input.text).toBe("Knot a net.");
    expect(findStep(fork, "inner/b#llm-1").metadata.model).toContain("critic");
    expect(findStep(fork, "a").metadata.reused).toBe(true);
    const replaced = await ended(
      (await forkRun(localViewer, run.id, { node: stepOf("inner/b").id, output: "A net." })).id,
    );
    expect(findStep(replaced, "inner/c").input.text).toBe("A net.");
    expect(replaced.usage.calls).toBe(1);
  });

  test("runs the revision that was recorded, or the current one", async () => {
    const { run, flowId, revision, stepOf } = await runOf(chain);
    const source = chain.replace("b >> c", "b");
    await saveFlow(localViewer, flowId, { source, baseRevision: revision });
    const node = stepOf("inner").id;
    expect((await ended((await forkRun(localViewer, run.id, { node })).id)).usage.calls).toBe(2);
    const { id } = await forkRun(localViewer, run.id, { node, revision: "current" });
    expect((await ended(id)).usage.calls).toBe(1);
  });

  test("is refused with a reason for what a step does not take, an unknown step, and other teams", async () => {
    const { run, stepOf } = await runOf(chain);
    const [agent, call] = [stepOf("a").id, stepOf("a#llm-1").id];
    expect(await problemOf(forkRun(localViewer, run.id, { node: 99 }))).toMatch(/^not_found.*no step 99/);
    expect(await problemOf(forkRun(stranger, run.id, { node: agent }))).toMatch(/^not_found/);
    expect(await problemOf(forkRun(localViewer, "none", { node: agent }))).toMatch(/^not_found/);
    expect(await problemOf(forkRun(localViewer, run.id, { node: call, model: "demo:x" }))).toMatch(
      /^bad_request.*agents/,
    );
    expect(await problemOf(forkRun(localViewer, run.id, { node: call, input: "[]" }))).toMatch(
      /^bad_request.*cannot be changed/,
    );
    expect(await problemOf(forkRun(localViewer, run.id, { node: agent, input: "x", output: "y" }))).toMatch(
      /^bad_request/,
    );
    expect(await db.run.count({ where: { forkedFrom: run.id } })).toBe(0);
  });
});

describe("a model in place of that of a step", () => {
  test("stays with the forks and retries of that run, which are refused when it is gone", async () => {
    const { run, flowId, revision, stepOf } = await runOf(chain);
    const node = stepOf("inner/b").id;
    const first = await ended((await forkRun(localViewer, run.id, { node, model: "demo:critic" })).id);
    const { id: second } = findStep(first, "inner/b");
    const again = await ended((await forkRun(localViewer, first.id, { node: second, input: "Knot a net." })).id);
    expect(findStep(again, "inner/b#llm-1").metadata.model).toContain("critic");
    await saveFlow(localViewer, flowId, { source: `${chain}# newer\n`, baseRevision: revision });
    const current = await ended((await forkRun(localViewer, first.id, { node: second, revision: "current" })).id);
    expect(findStep(current, "inner/b#llm-1").metadata.model).toContain("writer");
    const edits = JSON.stringify({ "inner/b": { model: "nowhere:x" } });
    await db.run.update({ where: { id: first.id }, data: { edits, status: "FAILED" } });
    expect(await problemOf(retryRun(localViewer, first.id))).toMatch(/^bad_request: .*"nowhere"/);
  });
});

describe("several models for one agent", () => {
  const models = ["demo:critic", "demo:planner", "demo:critic"];

  test("are a run each, in their order, which reuse the steps before and leave the parent as it is", async () => {
    const { run, stepOf } = await runOf(chain);
    const before = await rowsOf(run.id);
    const { runs } = await tryModels(localViewer, run.id, { node: stepOf("inner/b").id, models, input: "Knot a net." });
    const forks = await Promise.all(runs.map(({ id }) => ended(id)));
    const askedModels = forks.map((fork) => findStep(fork, "inner/b#llm-1").name);
    expect(askedModels).toEqual(models);
    for (const fork of forks) {
      expect([fork.status, fork.usage.calls]).toEqual(["SUCCESS", 2]);
      expect(findStep(fork, "a").metadata.reused).toBe(true);
      expect(findStep(fork, "inner/b").input.text).toBe("Knot a net.");
      expect(findStep(fork, "inner/c#llm-1").name).toBe("demo:writer");
    }
    expect(await rowsOf(run.id)).toEqual(before);
  });

  test("are listed as forks of their parent, and compared with it", async () => {
    const { run, stepOf } = await runOf(chain);
    const { runs } = await tryModels(localViewer, run.id, { node: stepOf("inner/b").id, models });
    const ids = runs.map(({ id }) => id);
    await Promise.all(ids.map(ended));
    expect(new Set((await listForks(localViewer, run.id)).map(({ id }) => id))).toEqual(new Set(ids));
    expect((await getShownRun(localViewer, run.id)).run.forks).toBe(3);
    const comparison = await compareRuns(localViewer, [run.id, ...ids]);
    expect(comparison.runs.map(({ origin }) => origin)).toEqual([
      null,
      ...models.map((model) => ({ runId: run.id, step: "inner/b", model, hasInput: false, hasInstructions: false })),
    ]);
    const { rows } = await compareSteps(localViewer, [run.id, ...ids]);
    const rowOf = (path: string) => rows.find((row) => row.path === path);
    expect(rowOf("a#llm-1")).toMatchObject({ differences: [], steps: [{ reused: false }, { reused: true }, {}, {}] });
    expect(rowOf("inner/b#llm-1")?.differences).toContain("name");
    expect(await problemOf(listForks(stranger, run.id))).toMatch(/^not_found/);
  });

  test("start none when one of them is refused", async () => {
    const { run, stepOf } = await runOf(chain);
    const request = { node: stepOf("inner/b").id, models };
    const count = await db.run.count();
    const unknown = { ...request, models: ["demo:critic", "nowhere:x"] };
    expect(await problemOf(tryModels(localViewer, run.id, unknown))).toMatch(/^bad_request: .*"nowhere"/);
    expect(await problemOf(tryModels(stranger, run.id, request))).toMatch(/^not_found/);
    const ofCall = { ...request, node: stepOf("a#llm-1").id };
    expect(await problemOf(tryModels(localViewer, run.id, ofCall))).toMatch(/^bad_request.*agents/);
    expect(await db.run.count()).toBe(count);
  });

  test("start none when one of them cannot be stored", async () => {
    const { run, stepOf } = await runOf(chain);
    const [counts, node] = [await countRows(), stepOf("inner/b").id];
    const spy = vi.spyOn(crypto, "randomUUID").mockReturnValue("5a3e5a3e-5a3e-4a3e-8a3e-5a3e5a3e5a3e");
    syncBuiltinESMExports();
    const refused = await problemOf(tryModels(localViewer, run.id, { node, models })).finally(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    expect(refused).toBeInstanceOf(Error);
    expect(await countRows()).toEqual(counts);
  });

  test("are one to five, named, of a step", () => {
    const isValid = (body: object): boolean => whatIfSchema.safeParse({ node: 1, ...body }).success;
    expect(isValid({ models })).toBe(true);
    const refused = [{}, { models: [] }, { models: [" "] }, { models: Array.from({ length: 6 }, () => "demo:writer") }];
    for (const body of [...refused, { models: "demo:writer" }, { models, model: "x" }, { models, output: "x" }])
      expect([body, isValid(body)]).toEqual([body, false]);
  });
});

test("what an agent ran with: of its flow, or as a fork changed it", async () => {
  const told = chain.replace('b: { model: "demo:writer" }', 'b: { model: "demo:writer", instructions: "Be brief." }');
  const { run, stepOf } = await runOf(told);
  const node = stepOf("inner/b").id;
  expect(await getAgentSettings(localViewer, run.id, node)).toEqual({
    instructions: "Be brief.",
    model: "demo:writer",
  });
  expect((await getAgentSettings(localViewer, run.id, stepOf("inner/c").id)).instructions).toBe("");
  const { id } = await forkRun(localViewer, run.id, { node, instructions: "Be long.", model: "demo:critic" });
  const fork = await ended(id);
  const changed = { instructions: "Be long.", model: "demo:critic" };
  expect(await getAgentSettings(localViewer, id, findStep(fork, "inner/b").id)).toEqual(changed);
  expect(await problemOf(getAgentSettings(stranger, run.id, node))).toMatch(/^not_found/);
  expect(await problemOf(getAgentSettings(localViewer, run.id, 99))).toMatch(/^not_found/);
});

describe("a retry", () => {
  test("runs the flow as it is now where that is asked for, with the calls that succeeded", async () => {
    const source = `name: Limit
agents:
  a: { model: "demo:clerk", instructions: "Work out 2 * 3.", tools: [calculator], max_steps: 1 }
swarm: { flow: a }
`;
    const { run, flowId, revision } = await runOf(source, "Work out 2 * 3");
    expect(run).toMatchObject({ status: "FAILED", error: { code: "step-limit" } });
    const same = await ended((await retryRun(localViewer, run.id, { revision: "current" })).id);
    expect(same).toMatchObject({ status: "FAILED", error: { code: "step-limit" } });
    await saveFlow(localViewer, flowId, {
      source: source.replace("max_steps: 1", "max_steps: 5"),
      baseRevision: revision,
    });
    expect((await ended((await retryRun(localViewer, run.id)).id)).error?.code).toBe("step-limit");
    const next = await ended((await retryRun(localViewer, run.id, { revision: "current" })).id);
    expect(next.status).toBe("SUCCESS");
    expect(findStep(next, "a#llm-1").metadata).toMatchObject({ reused: true });
  });

  test("shows no step of an agent that the flow has no more, and does what follows a new one anew", async () => {
    const source = `name: Renamed
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:clerk", instructions: "Work out 2 * 3.", tools: [calculator], max_steps: 1 }
swarm: { flow: a >> b }
`;
    const rest = source.replace("max_steps: 1", "max_steps: 5");
    for (const [changed, paths] of [
      [rest.replace("a >> b", "a >> d").replace("  b:", "  d:"), ["a", "d"]],
      [rest.replace("a >> b", "a >> c >> b").replace("  b:", '  c: { model: "demo:writer" }\n  b:'), ["a", "c", "b"]],
    ] as const) {
      const { run, flowId, revision } = await runOf(source, "Work out 2 * 3");
      expect(run).toMatchObject({ status: "FAILED", error: { code: "step-limit" } });
      await saveFlow(localViewer, flowId, { source: changed, baseRevision: revision });
      const next = await ended((await retryRun(localViewer, run.id, { revision: "current" })).id);
      const agents = next.state.nodes.filter(({ kind }) => kind === "agent");
      expect([next.status, ...agents.map(({ path }) => path)]).toEqual(["SUCCESS", ...paths]);
      expect(agents.map(({ metadata }) => metadata.reused === true)).toEqual(paths.map((path) => path === "a"));
    }
  });

  const failing = chain.replace(
    'c: { model: "demo:writer" }',
    'c: { model: "demo:writer", instructions: "demo: error 400" }',
  );

  test("does the failed step again, and nothing else", async () => {
    const { run } = await runOf(failing);
    expect(run.status).toBe("FAILED");
    const again = await ended((await retryRun(localViewer, run.id)).id);
    expect([again.status, again.usage.calls]).toEqual(["FAILED", run.usage.calls - 2]);
    expect(findStep(again, "inner/b").metadata.reused).toBe(true);
    expect(findStep(again, "inner/c").metadata.reused).toBeUndefined();
    const row = await db.run.findUniqueOrThrow({ where: { id: again.id } });
    expect(row).toMatchObject({ forkedFrom: run.id, forkedAt: "inner/c#llm-1" });
  });

  test("is refused for runs that succeeded, have not ended, or belong to others", async () => {
    const { run } = await runOf(chain);
    expect(await problemOf(retryRun(localViewer, run.id))).toMatch(/^conflict.*succeeded/);
    expect(await problemOf(retryRun(stranger, run.id))).toMatch(/^not_found/);
    const { id } = await createFlow(localViewer, {
      source: `agents: { a: { model: "demo:writer" } }\napprovals: { ok: { message: "?" } }\nswarm: { flow: a >> ok }\n`,
    });
    const waiting = (await startRun(localViewer, id, { input: "go" })).id;
    while ((await getRun(localViewer, waiting)).status !== "WAITING") await sleepFor(5);
    expect(await problemOf(retryRun(localViewer, waiting))).toMatch(/^conflict.*not ended/);
  });
});
