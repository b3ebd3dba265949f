import { beforeAll, describe, expect, test } from "vitest";
import { writeCompleteFlow } from "@/lib/core/kinds/testing/repeating-flow.arbitrary";
import { maxThumbnailUnits } from "@/lib/core/layout/thumbnail/thumbnail";
import type { RunError } from "@/lib/core/run/events/events";
import { localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { newRow } from "../runs/testing/insert-runs";
import { startServices } from "../start";
import { createFlow, duplicateFlow, renameFlow, saveFlow, setFlowTags } from "./commands";
import { fillRows } from "./fill-rows";
import { countFlows, listFlows } from "./list-flows";
import { getFlow } from "./queries";
import { emptyLargePictures, readPictures } from "./stored-pictures";
import { purgeFlow, trashFlow } from "./trash";

const viewer = toTeamViewer({ id: "lister", name: "Li" }, { teamId: "listed", role: "editor" });
const flowOf = (name: string, more = "", swarm = "{ flow: a >> b }"): string =>
  `name: ${name}\nagents:\n  a: { model: "demo:x", instructions: "${more}" }\n  b: { model: "demo:x" }\nswarm: ${swarm}\n`;

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

const addRun = async (flowId: string, at: string, status = "SUCCESS", error?: RunError): Promise<void> => {
  const { revision } = await getFlow(viewer, flowId);
  await db.run.create({
    data: {
      ...newRow(),
      teamId: "listed",
      flowId,
      revisionId: revision,
      flowName: "x",
      status,
      error: error ? JSON.stringify(error) : null,
      createdAt: new Date(at),
    },
  });
};

const namesOf = async (query: Parameters<typeof listFlows>[1]): Promise<string[]> =>
  (await listFlows(viewer, query)).flows.map(({ name }) => name);

describe("listFlows", () => {
  test("shows the last run and the number of runs, the last that ran first", async () => {
    const { id: old } = await createFlow(viewer, { source: flowOf("Old") });
    const { id: busy } = await createFlow(viewer, { source: flowOf("Busy", "weighs 100% of_it") });
    await addRun(old, "2030-01-01T00:00:00Z");
    await addRun(busy, "2030-01-02T00:00:00Z");
    await addRun(busy, "2030-01-03T00:00:00Z", "FAILED");
    await createFlow(viewer, { source: flowOf("Never") });
    const { flows, matching } = await listFlows(viewer, { limit: 2 });
    expect(matching).toBe(3);
    expect(flows).toMatchObject([
      { name: "Busy", runs: 2, agents: 2, lastRun: { status: "FAILED", at: Date.parse("2030-01-03") } },
      { name: "Old", runs: 1, picture: { type: "drawing" } },
    ]);
    expect(await namesOf({ sort: "name" })).toEqual(["Busy", "Never", "Old"]);
    expect(await namesOf({ sort: "created" })).toEqual(["Never", "Busy", "Old"]);
  });

  test("a run that the stop of the server ended is interrupted, not failed", async () => {
    const { id } = await createFlow(viewer, { source: flowOf("Stopped") });
    const statusOf = async () => (await listFlows(viewer, { q: "Stopped" })).flows[0]?.lastRun?.status;
    await addRun(id, "2030-02-01T00:00:00Z", "FAILED", { code: "interrupted", message: "The server stopped." });
    expect(await statusOf()).toBe("INTERRUPTED");
    await addRun(id, "2030-02-02T00:00:00Z", "FAILED", { code: "auth", message: "No key." });
    expect(await statusOf()).toBe("FAILED");
    await trashFlow(viewer, id);
    await purgeFlow(viewer, id);
  });

  test("finds names, agents and instructions, sign for sign", async () => {
    expect(await namesOf({ q: "BUS" })).toEqual(["Busy"]);
    expect(await namesOf({ q: "100% of_it" })).toEqual(["Busy"]);
    expect(await namesOf({ q: "100_" })).toEqual([]);
    expect(await namesOf({ q: "busy never" })).toEqual([]);
  });

  test("filters by a whole tag, and counts tags", async () => {
    const [busy, never] = (await listFlows(viewer, { sort: "name" })).flows;
    await setFlowTags(viewer, busy?.id ?? "", [" Live ", "live", "support"]);
    await setFlowTags(viewer, never?.id ?? "", ["live"]);
    expect(await namesOf({ tag: "live", sort: "name" })).toEqual(["Busy", "Never"]);
    expect(await namesOf({ tag: "liv" })).toEqual([]);
    expect(await namesOf({ q: "support" })).toEqual(["Busy"]);
    expect(await countFlows(viewer)).toEqual({
      live: 3,
      trashed: 0,
      tags: [
        { name: "live", count: 2 },
        { name: "support", count: 1 },
      ],
    });
  });

  test("describes teams and handoffs", async () => {
    const modes: [swarm: string, outline: string][] = [
      ["{ type: team, agents: [a, b] }", "Team of 2"],
      ["{ type: handoff, agents: [a, b], edges: [[a, b]] }", "Handoff, 2 agents"],
      ["{ type: orchestrate, agents: [a] }", "Orchestrator, 1 agent"],
      ["{ flow: a >> b }", "a >> b"],
    ];
    for (const [swarm, outline] of modes) {
      const { id } = await createFlow(viewer, { source: flowOf(`Mode ${outline}`, "", swarm) });
      expect(await db.flow.findUnique({ where: { id } })).toMatchObject({ outline, errors: 0 });
    }
  });

  test("answers 500 flows quickly, with as many statements as for one", async () => {
    const crowd = toTeamViewer(viewer, { teamId: "crowd", role: "editor" });
    const { id } = await createFlow(crowd, { source: flowOf("Crowd") });
    const row = await db.flow.findUniqueOrThrow({ where: { id } });
    await db.flow.createMany({ data: Array.from({ length: 500 }, (_, i) => ({ ...row, id: `crowd-${i}` })) });
    const start = performance.now();
    const { flows, matching } = await listFlows(crowd);
    expect([flows.length, matching]).toEqual([500, 501]);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

test("the picture of a short flow with exponentially many places is small", async () => {
  const { id } = await createFlow(viewer, { source: writeCompleteFlow(14) });
  const { picture } = await db.flow.findUniqueOrThrow({ where: { id } });
  expect(picture.length).toBeLessThanOrEqual(maxThumbnailUnits);
  expect((await listFlows(viewer)).flows.find((flow) => flow.id === id)?.picture).toMatchObject({ type: "drawing" });
});

describe("fillRows", () => {
  test("reads no picture that is too large, and draws it anew", async () => {
    const { id } = await createFlow(viewer, { source: flowOf("Large picture") });
    const picture = { type: "drawing", width: 1, height: 1, nodes: [], links: [] };
    const links = Array.from({ length: 2000 }, () => ["flow", 1, 2, 3, 4]);
    await db.flow.update({ where: { id }, data: { picture: JSON.stringify({ ...picture, links }) } });
    const shown = async () => (await listFlows(viewer)).flows.find((flow) => flow.id === id)?.picture;
    expect(await shown()).toBeNull();
    expect(await readPictures(db, [id])).toEqual(new Map());
    expect(await emptyLargePictures(db)).toBe(1);
    expect(await fillRows(db)).toBe(1);
    expect(await shown()).toMatchObject({ type: "drawing", width: 122 });
    expect(await emptyLargePictures(db)).toBe(0);
  });

  test("draws flows of an older version once", async () => {
    const { id } = await createFlow(viewer, { source: flowOf("Older") });
    const blank = { search: "", picture: "", outline: "draft" };
    await db.flow.update({ where: { id }, data: blank });
    expect((await listFlows(viewer)).flows.find((flow) => flow.id === id)?.picture).toBeNull();
    expect(await fillRows(db)).toBe(1);
    expect((await listFlows(viewer, { q: "older" })).flows).toMatchObject([
      { outline: "a >> b", picture: { type: "drawing" } },
    ]);
    expect(await fillRows(db)).toBe(0);
  });
});

test("fillRows passes over a text that cannot be read, and draws the others", async () => {
  const [bad, good] = [
    await createFlow(viewer, { source: flowOf("Bad") }),
    await createFlow(viewer, { source: flowOf("Good") }),
  ];
  await db.flow.updateMany({ where: { id: { in: [bad.id, good.id] } }, data: { search: "" } });
  const source = "x".repeat(2_000_001);
  await db.revision.update({ where: { id: bad.revision }, data: { source } });
  expect(await fillRows(db)).toBe(1);
  await db.flow.updateMany({ where: { id: bad.id }, data: { search: "none" } });
});

describe("renameFlow", () => {
  test("writes the name into the text as a new revision", async () => {
    const { id, revision } = await createFlow(viewer, { source: flowOf("Before # no comment") });
    await renameFlow(viewer, id, " After ");
    const flow = await getFlow(viewer, id);
    expect(flow).toMatchObject({ name: "After", source: expect.stringContaining("name: After") });
    expect(flow.revision).not.toBe(revision);
    expect(await db.revision.findUnique({ where: { id: flow.revision } })).toMatchObject({
      summary: "Renamed the flow to After",
      createdBy: "Li",
      createdById: "lister",
    });
  });

  test("keeps what others save at the same time", async () => {
    const { id, revision } = await createFlow(viewer, { source: flowOf("Before") });
    const theirs = `${flowOf("Before")}# theirs\n`;
    await Promise.all([
      renameFlow(viewer, id, "After"),
      saveFlow(viewer, id, { source: theirs, baseRevision: revision }).catch(() => null),
      renameFlow(viewer, id, "After"),
    ]);
    expect((await getFlow(viewer, id)).name).toBe("After");
  });

  test("refuses a blank name, and a text that cannot be read", async () => {
    const { id } = await createFlow(viewer, { source: "agents: [" });
    await expect(renameFlow(viewer, id, "X")).rejects.toMatchObject({ code: "bad_request" });
    await expect(renameFlow(viewer, id, " ")).rejects.toMatchObject({ code: "bad_request" });
  });
});

test("copies count up and keep their tags", async () => {
  const { id } = await createFlow(localViewer, { source: flowOf("Counted") });
  await setFlowTags(localViewer, id, ["kept"]);
  const names: string[] = [];
  for (let i = 0; i < 3; i++) {
    const copy = await duplicateFlow(localViewer, id);
    names.push((await getFlow(localViewer, copy.id)).name);
    expect((await listFlows(localViewer, { tag: "kept" })).flows.map((flow) => flow.id)).toContain(copy.id);
  }
  expect(names).toEqual(["Counted (copy)", "Counted (copy 2)", "Counted (copy 3)"]);
});
