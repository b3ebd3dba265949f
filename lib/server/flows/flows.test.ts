import { beforeAll, describe, expect, test } from "vitest";
import { toFingerprint } from "@/lib/core/flow/hash-text";
import { AppError } from "../app-error";
import { localTeamId, localViewer, toTeamViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { startRun } from "../runs/commands";
import { startServices } from "../start";
import { createFlow, duplicateFlow, renameFlow, saveFlow, setFlowTags } from "./commands";
import { listFlows as listFlowPage } from "./list-flows";
import { getFlow } from "./queries";
import { purgeFlow, restoreFlow, trashFlow } from "./trash";

const source = `# kept
name: Looms
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
swarm: { type: workflow, flow: a >> b }
`;
const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const outsider: Viewer = { ...stranger, roles: new Map() };

/** The code of the AppError that a promise is refused with. */
const codeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

const listFlows = async (viewer: Viewer) => (await listFlowPage(viewer)).flows;

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

test("a new database begins with the demo flow, which can run", async () => {
  expect(await listFlows(localViewer)).toMatchObject([
    { name: "Article", agents: 6, errors: 0, lastRun: null, outline: expect.stringContaining("researcher_1 |") },
  ]);
});

describe("createFlow", () => {
  test("keeps the text as it is", async () => {
    const { id, revision, problems } = await createFlow(localViewer, { source });
    expect(problems).toEqual([]);
    expect(await getFlow(localViewer, id)).toMatchObject({ id, name: "Looms", source, revision });
  });

  test("writes a name into the text, and nothing else", async () => {
    const { id } = await createFlow(localViewer, { source, name: " Weaving: a start " });
    const flow = await getFlow(localViewer, id);
    expect(flow.name).toBe("Weaving: a start");
    expect(flow.source.split("\n").toSpliced(1, 1)).toEqual(source.split("\n").toSpliced(1, 1));
  });

  test("leaves out a byte order mark, and so does a save", async () => {
    const { id, revision } = await createFlow(localViewer, { source: `\uFEFF${source}`, name: "Marked" });
    const created = await getFlow(localViewer, id);
    expect(created).toMatchObject({ name: "Marked", source: source.replace("Looms", "Marked") });
    await saveFlow(localViewer, id, { source: `\uFEFF${source}`, baseRevision: revision });
    expect((await getFlow(localViewer, id)).source).toBe(source);
  });

  test("starts an empty flow without a text", async () => {
    const { id } = await createFlow(localViewer, {});
    expect(await getFlow(localViewer, id)).toMatchObject({ name: "Untitled flow" });
  });

  test("tells flows that have no name yet apart by their first agents", async () => {
    const { id, revision } = await createFlow(localViewer, {});
    const write = (...names: string[]) =>
      `name: Untitled flow\nagents: {${names.map((name) => ` ${name}: {}`).join(",")} }\n`;
    const saved = await saveFlow(localViewer, id, { source: write("researcher", "writer"), baseRevision: revision });
    expect(await getFlow(localViewer, id)).toMatchObject({ name: "Untitled: researcher, writer" });
    await saveFlow(localViewer, id, { source: write("a", "b", "c", "d"), baseRevision: saved.revision });
    expect(await getFlow(localViewer, id)).toMatchObject({ name: "Untitled: a, b, c, …" });
    await renameFlow(localViewer, id, "Named");
    expect(await getFlow(localViewer, id)).toMatchObject({ name: "Named" });
  });

  test("an empty flow has no errors in the list, and is not run", async () => {
    const { id, problems } = await createFlow(localViewer, {});
    expect(problems).toMatchObject([{ code: "no-agents", severity: "info" }]);
    expect((await listFlows(localViewer)).find((flow) => flow.id === id)).toMatchObject({ agents: 0, errors: 0 });
    await expect(startRun(localViewer, id, { input: "x" })).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("has no agents yet"),
    });
  });

  test("keeps a text that cannot be read, and reports what is wrong", async () => {
    const { id, problems } = await createFlow(localViewer, { source: "agents: [" });
    expect(problems.some(({ severity }) => severity === "error")).toBe(true);
    expect((await getFlow(localViewer, id)).source).toBe("agents: [");
  });

  test("refuses a text without end and a viewer without a team", async () => {
    expect(await codeOf(createFlow(localViewer, { source: "#".repeat(5_000_001) }))).toBe("too_large");
    expect(await codeOf(createFlow(outsider, { source }))).toBe("forbidden");
  });
});

describe("saveFlow", () => {
  test("adds a revision and keeps the old one", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    const changed = source.replace("Looms", "Shuttles");
    const saved = await saveFlow(localViewer, id, { source: changed, baseRevision: revision });
    expect(saved.revision).not.toBe(revision);
    expect(await getFlow(localViewer, id)).toMatchObject({ name: "Shuttles", source: changed, ...{ id } });
    expect((await db.revision.findUnique({ where: { id: revision } }))?.source).toBe(source);
  });

  test("the same again makes no revision, from whatever base", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    expect((await saveFlow(localViewer, id, { source, baseRevision: "long ago" })).revision).toBe(revision);
    expect(await db.revision.count({ where: { flowId: id } })).toBe(1);
  });

  test("a text whose alias has no end is saved as a draft that cannot run", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    const cyclic = source.replace('a: { model: "demo:writer" }', "a: { output_schema: &s { x: *s } }");
    const saved = await saveFlow(localViewer, id, { source: cyclic, baseRevision: revision });
    expect(saved.problems).toMatchObject([{ code: "yaml-syntax", severity: "error" }]);
    expect((await getFlow(localViewer, id)).source).toBe(cyclic);
    expect(await codeOf(startRun(localViewer, id, { input: "x" }))).toBe("bad_request");
  });

  test("a stale save is refused with what there is now", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    const theirs = `${source}# theirs\n`;
    const { revision: head } = await saveFlow(localViewer, id, { source: theirs, baseRevision: revision });
    const error = await saveFlow(localViewer, id, { source: `${source}# mine\n`, baseRevision: revision }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: "conflict", details: { revision: head, source: theirs } });
    expect((await getFlow(localViewer, id)).source).toBe(theirs);
  });

  test("of many saves at once over the same base, one wins and no other is written", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    const saves = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        codeOf(saveFlow(localViewer, id, { source: `${source}# ${i}\n`, baseRevision: revision })),
      ),
    );
    expect(saves.filter((code) => code === "nothing was refused")).toHaveLength(1);
    expect(saves.filter((code) => code === "conflict")).toHaveLength(7);
    expect(await db.revision.count({ where: { flowId: id } })).toBe(2);
  });

  test("an empty text replaces a flow only when that is meant", async () => {
    const { id, revision } = await createFlow(localViewer, { source });
    expect(await codeOf(saveFlow(localViewer, id, { source: " \n", baseRevision: revision }))).toBe("bad_request");
    expect((await getFlow(localViewer, id)).source).toBe(source);
    await saveFlow(localViewer, id, { source: "", baseRevision: revision, allowEmpty: true });
    expect((await getFlow(localViewer, id)).source).toBe("");
  });
});

test("a copy has its own life", async () => {
  const { id } = await createFlow(localViewer, { source });
  const copy = await duplicateFlow(localViewer, id);
  await trashFlow(localViewer, id);
  await purgeFlow(localViewer, id);
  expect(await getFlow(localViewer, copy.id)).toMatchObject({ name: "Looms (copy)" });
  expect(await codeOf(getFlow(localViewer, id))).toBe("not_found");
  expect(await db.revision.count({ where: { flowId: id } })).toBe(0);
});

test("a flow of another team is not there, for every door", async () => {
  const { id, revision } = await createFlow(localViewer, { source });
  expect(await listFlows(stranger)).toEqual([]);
  const doors = [
    getFlow(stranger, id),
    saveFlow(stranger, id, { source: "name: Mine now\n", baseRevision: revision }),
    trashFlow(stranger, id),
    restoreFlow(stranger, id),
    purgeFlow(stranger, id),
    renameFlow(stranger, id, "Mine"),
    setFlowTags(stranger, id, ["mine"]),
    duplicateFlow(stranger, id),
  ];
  expect(await Promise.all(doors.map(codeOf))).toEqual(doors.map(() => "not_found"));
  expect((await getFlow(localViewer, id)).source).toBe(source);
});

describe("a save on leaving during a save that was not answered", () => {
  const over = (text: string) => ({ source: `${source}# ${text}\n`, unanswered: toFingerprint(`${source}# first\n`) });

  test("is stored over that one, and over the version before when it comes first", async () => {
    const { id, revision: baseRevision } = await createFlow(localViewer, { source });
    await saveFlow(localViewer, id, { source: `${source}# first\n`, baseRevision });
    await saveFlow(localViewer, id, { ...over("first, second"), baseRevision });
    expect((await getFlow(localViewer, id)).source).toBe(`${source}# first, second\n`);
    const { id: other, revision } = await createFlow(localViewer, { source });
    await saveFlow(localViewer, other, { ...over("second"), baseRevision: revision });
    expect(await codeOf(saveFlow(localViewer, other, { source: "x", baseRevision: revision }))).toBe("conflict");
  });

  test("is stored when both come at once", async () => {
    const { id, revision: baseRevision } = await createFlow(localViewer, { source });
    const first = saveFlow(localViewer, id, { source: `${source}# first\n`, baseRevision });
    const last = saveFlow(localViewer, id, { ...over("first, second"), baseRevision });
    await Promise.allSettled([first, last]);
    expect((await getFlow(localViewer, id)).source).toBe(`${source}# first, second\n`);
  });

  test("conflicts with what anyone else saved, or was saved later", async () => {
    const { id, revision: baseRevision } = await createFlow(localViewer, { source });
    const colleague = toTeamViewer({ id: "ed", name: "Ed" }, { teamId: localTeamId, role: "editor" });
    const { revision } = await saveFlow(colleague, id, { source: `${source}# first\n`, baseRevision });
    expect(await codeOf(saveFlow(localViewer, id, { ...over("mine"), baseRevision }))).toBe("conflict");
    const { revision: next } = await saveFlow(localViewer, id, {
      source: `${source}# second\n`,
      baseRevision: revision,
    });
    await saveFlow(localViewer, id, { source: `${source}# first\n`, baseRevision: next });
    expect(await codeOf(saveFlow(localViewer, id, { ...over("mine"), baseRevision: revision }))).toBe("conflict");
  });
});

test.each([
  ["the first half", "\uD83D"],
  ["the second half", "\uDE00"],
])("%s of a character is refused, not replaced", async (_, half) => {
  const broken = `${source}# ${half} half\n`;
  expect(await codeOf(createFlow(localViewer, { source: broken }))).toBe("bad_request");
  const { id, revision } = await createFlow(localViewer, { source: `${source}# \u{1F600} whole\n` });
  await expect(saveFlow(localViewer, id, { source: broken, baseRevision: revision })).rejects.toThrow("Line 7");
  expect((await getFlow(localViewer, id)).source).toContain("\u{1F600} whole");
});
