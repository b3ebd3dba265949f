import { beforeAll, describe, expect, test, vi } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { localViewer, toTeamViewer } from "../../auth/viewer";
import { createFlow, saveFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { startRun } from "../commands";
import { forkRun } from "../fork";
import { compareRuns, compareSteps, readRunIds } from "./compare-runs";
import { getRun } from "./queries";

const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const source = `name: Compared
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:critic" }
swarm: { type: workflow, flow: a >> b }
`;

async function run(flow: string, input: string): Promise<string> {
  const { id } = await startRun(localViewer, flow, { input });
  await waitForEnd(id);
  return id;
}

async function waitForEnd(id: string): Promise<void> {
  while (!isTerminal((await getRun(localViewer, id)).status)) await new Promise((resolve) => setTimeout(resolve, 5));
}

let ids: string[] = [];
beforeAll(async () => {
  await startServices();
  const { id, revision } = await createFlow(localViewer, { source });
  const [first, again] = [await run(id, "Looms"), await run(id, "Looms")];
  await saveFlow(localViewer, id, { source: source.replace("a >> b", "a"), baseRevision: revision });
  ids = [first, again, await run(id, "x".repeat(40_000))];
});

const refusal = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => null,
    (error: unknown) => error,
  );

test("ids of an address", () => {
  expect(readRunIds(" a,b ,,a,c")).toEqual(["a", "b", "c"]);
  expect(readRunIds("")).toEqual([]);
});

test("the same flow on the same input differs in nothing but time", async () => {
  const { runs, others } = await compareRuns(localViewer, ids.slice(0, 2));
  expect(runs.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(others).toEqual([{ sameInput: true, flow: { type: "same" } }]);
  const { rows, agents } = await compareSteps(localViewer, ids.slice(0, 2));
  expect(agents).toEqual(["a", "b"]);
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.filter(({ differences }) => differences.length > 0)).toEqual([]);
});

test("another revision: the lines that changed, and the steps that only the base has", async () => {
  const { others } = await compareRuns(localViewer, ids);
  expect(others[1]).toMatchObject({ sameInput: false, flow: { type: "changed" } });
  const lines = others[1]?.flow.type === "changed" ? others[1].flow.hunks.flatMap(({ lines }) => lines) : [];
  expect(lines).toEqual(
    expect.arrayContaining(["-swarm: { type: workflow, flow: a >> b }", "+swarm: { type: workflow, flow: a }"]),
  );
  const { rows } = await compareSteps(localViewer, ids);
  const row = rows.find(({ path }) => path === "b");
  expect(row).toMatchObject({ differences: ["presence"], steps: [{ status: "SUCCESS" }, { status: "SUCCESS" }, null] });
});

test("what a fork got in place of what its parent had", async () => {
  const [parent = ""] = ids;
  const {
    state: { nodes },
  } = await getRun(localViewer, parent);
  const writer = nodes.find(({ path }) => path === "a")?.id ?? 0;
  const critic = nodes.find(({ path }) => path === "b")?.id ?? 0;
  const forks = [
    await forkRun(localViewer, parent, { node: writer, output: "Written by hand" }),
    await forkRun(localViewer, parent, { node: critic, instructions: "Be short.", input: "y".repeat(5_000) }),
    await forkRun(localViewer, parent, { node: critic }),
    await forkRun(localViewer, parent, { node: writer, output: "z".repeat(20_000) }),
  ];
  for (const { id } of forks) await waitForEnd(id);
  const { runs } = await compareRuns(localViewer, [parent, ...forks.map(({ id }) => id)]);
  expect(runs.map(({ changes }) => changes)).toEqual([
    [],
    [{ step: "a", field: "output", text: { text: "Written by hand" } }],
    [
      { step: "b", field: "input", text: { text: "y".repeat(4_000), length: 5_000 } },
      { step: "b", field: "instructions", text: { text: "Be short." } },
    ],
    [],
    [{ step: "a", field: "output", text: { text: "z".repeat(4_000), length: 20_000 } }],
  ]);
});

test("figures only: no text of a run is among the steps", async () => {
  const { rows } = await compareSteps(localViewer, ids);
  expect(JSON.stringify(rows)).not.toMatch(/Looms|xxxx/);
});

describe("refused", () => {
  test("fewer than two, more than six", async () => {
    for (const few of [[], ids.slice(0, 1), ["1", "2", "3", "4", "5", "6", "7"]])
      for (const pending of [compareRuns(localViewer, few), compareSteps(localViewer, few)].map(refusal))
        expect(await pending).toMatchObject({ code: "bad_request" });
  });

  test("unknown runs, and those of another team", async () => {
    const cases = [
      [localViewer, [ids[0] ?? "", "unknown"], "Only 1 of the 2 runs"],
      [stranger, ids, "None of the 3 runs"],
    ] as const;
    for (const [viewer, some, message] of cases)
      for (const pending of [compareRuns(viewer, some), compareSteps(viewer, some)].map(refusal))
        expect(await pending).toMatchObject({ code: "not_found", message: expect.stringContaining(message) });
  });
});

/** Two runs of flows that differ in each line: the search for these takes half a second. */
async function makeUnlikeRuns(): Promise<[string, string]> {
  const lines = (seed: number) =>
    Array.from({ length: 4_000 }, (_, index) => `# ${index * seed} of ${seed}\n`).join("");
  const { id, revision } = await createFlow(localViewer, { source: source + lines(3) });
  const first = await run(id, "Looms");
  await saveFlow(localViewer, id, { source: source + lines(7), baseRevision: revision });
  return [first, await run(id, "Looms")];
}

test("flows that differ in every line are compared without holding others up", async () => {
  const unlikeRuns = await makeUnlikeRuns();
  const threads = vi.spyOn(globalThis.swarmloomThreads ?? expect.fail(), "run");
  const { others } = await compareRuns(localViewer, unlikeRuns);
  expect(others[0]?.flow.type).toBe("too-different");
  expect(threads).toHaveBeenCalledWith(expect.objectContaining({ name: "diff-lines" }));
});

test("of one person few flows are compared at once, and others are answered immediately", async () => {
  const unlikeRuns = await makeUnlikeRuns();
  const ended: (string | undefined)[] = [];
  const compare = async () => ended.push((await compareRuns(localViewer, unlikeRuns)).others[0]?.flow.type);
  await Promise.all(Array.from({ length: 20 }, compare));
  expect(new Set(ended.slice(0, 5))).toEqual(new Set(["busy"]));
  expect(ended).toContain("too-different");
  expect((await compareRuns(localViewer, unlikeRuns)).others[0]?.flow.type).toBe("too-different");
});

test("runs of one revision are compared to the base once", async () => {
  const [first = "", again = "", other = ""] = ids;
  const threads = vi.spyOn(globalThis.swarmloomThreads ?? expect.fail(), "run");
  threads.mockClear();
  const { others } = await compareRuns(localViewer, [other, first, again]);
  expect(others.map(({ flow }) => flow.type)).toEqual(["changed", "changed"]);
  expect(threads).toHaveBeenCalledTimes(1);
});
