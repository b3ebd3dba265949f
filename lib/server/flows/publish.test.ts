import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Role } from "../auth/permissions";
import { localTeamId, localViewer, toTeamViewer, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { startRun } from "../runs/commands";
import { listRuns } from "../runs/read/list-runs";
import { startRunOnce } from "../runs/start-once";
import { startServices } from "../start";
import { createFlow, saveFlow } from "./commands";
import { compareRevisions } from "./compare-revisions";
import { getPublication, publishFlow, unpublishFlow } from "./publish";
import { trashFlow } from "./trash";

const source = `name: Published\nagents:\n  a: { model: "demo:x" }\nswarm: { flow: a }\n`;
const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "owner" });
const withRole = (role: Role, id: string = role): Viewer =>
  toTeamViewer({ id, name: id }, { teamId: localTeamId, role });
const apiKey = withRole("runner", "key:1");

let flow: string;
let first: string;
let second: string;

beforeAll(async () => {
  await startServices();
  await globalThis.swarmloomServices?.endRuns();
});
beforeEach(async () => {
  const created = await createFlow(localViewer, { source });
  flow = created.id;
  first = created.revision;
  const anna = withRole("editor", "Anna");
  ({ revision: second } = await saveFlow(anna, flow, { source: `${source}# 2\n`, baseRevision: first }));
});

const revisionOf = async ({ id }: { id: string }) =>
  (await (await getDb()).run.findUniqueOrThrow({ where: { id } })).revisionId;
const start = async (viewer: Viewer, revision?: string) =>
  revisionOf(await startRun(viewer, flow, { input: "x", revision }));

describe("publishing", () => {
  test("shows what is published, by whom, and whose saves are not yet", async () => {
    expect(await getPublication(localViewer, flow)).toEqual({
      published: null,
      latest: { id: second, number: 2 },
      isCurrent: false,
      authors: expect.arrayContaining([
        { id: "local", name: "You", saves: 1 },
        { id: "Anna", name: "Anna", saves: 1 },
      ]),
      mayPublish: true,
    });
    await publishFlow(localViewer, flow, first);
    const published = { id: first, number: 1, name: null, at: expect.any(Number), by: "You" };
    expect(await getPublication(withRole("viewer"), flow)).toEqual({
      published,
      latest: { id: second, number: 2 },
      isCurrent: false,
      authors: [{ id: "Anna", name: "Anna", saves: 1 }],
      mayPublish: false,
    });
    expect(await publishFlow(localViewer, flow)).toMatchObject({
      published: { id: second },
      isCurrent: true,
      authors: [],
    });
  });

  test("compares what versions hold: a restored one is no draft", async () => {
    await publishFlow(localViewer, flow, first);
    await saveFlow(localViewer, flow, { source, baseRevision: second });
    expect(await getPublication(localViewer, flow)).toMatchObject({ latest: { number: 3 }, isCurrent: true });
  });

  test("refuses a version that cannot run", async () => {
    const { revision } = await saveFlow(localViewer, flow, {
      source: source.replace("flow: a", "flow: nobody"),
      baseRevision: second,
    });
    await expect(publishFlow(localViewer, flow, revision)).rejects.toMatchObject({ code: "bad_request" });
    expect(await getPublication(localViewer, flow)).toMatchObject({ published: null });
  });

  test("is there for editors only, and for no other team, flow or revision", async () => {
    const other = await createFlow(localViewer, { source });
    await publishFlow(localViewer, flow, first);
    const refused = [
      getPublication(stranger, flow),
      publishFlow(stranger, flow),
      unpublishFlow(stranger, flow),
      publishFlow(withRole("runner"), flow),
      unpublishFlow(withRole("runner"), flow),
      publishFlow(localViewer, flow, other.revision),
      publishFlow(localViewer, "unknown"),
    ];
    await Promise.all(refused.map((promise) => expect(promise).rejects.toMatchObject({ code: "not_found" })));
    expect(await getPublication(localViewer, flow)).toMatchObject({ published: { id: first } });
    await publishFlow(withRole("editor"), flow);
    await unpublishFlow(withRole("editor"), flow);
    await trashFlow(localViewer, flow);
    await expect(getPublication(localViewer, flow)).rejects.toMatchObject({ code: "not_found" });
    await expect(publishFlow(localViewer, flow)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a run that names no revision", () => {
  test("is of the newest one while none is published", async () => {
    for (const viewer of [localViewer, apiKey]) expect(await start(viewer)).toBe(second);
  });

  test("is of the published one for API keys, schedules and webhooks, and of the newest one for people", async () => {
    await publishFlow(localViewer, flow, first);
    for (const id of ["key:1", "schedule:1", "webhook:1"]) expect(await start(withRole("runner", id))).toBe(first);
    expect(await start(localViewer)).toBe(second);
    await unpublishFlow(localViewer, flow);
    expect(await start(apiKey)).toBe(second);
  });
});

test("a run can name the published or the newest revision", async () => {
  await expect(start(localViewer, "published")).rejects.toMatchObject({ code: "conflict" });
  await publishFlow(localViewer, flow, first);
  expect(await start(localViewer, "published")).toBe(first);
  expect(await start(apiKey, "latest")).toBe(second);
  expect(await start(apiKey, second)).toBe(second);
  await expect(start(localViewer, "unknown")).rejects.toMatchObject({ code: "not_found" });
});

test("a repeated request is answered with its run, though another version was published meanwhile", async () => {
  await publishFlow(localViewer, flow, first);
  const request = { input: "x", revision: "published", key: `k-${flow}` };
  const { id } = await startRunOnce(apiKey, flow, request);
  await publishFlow(localViewer, flow, second);
  expect(await startRunOnce(apiKey, flow, request)).toEqual({ id, isRepeated: true });
});

test("lists show which version ran", async () => {
  await start(localViewer, first);
  await start(localViewer, second);
  const versions = async () => (await listRuns(localViewer, { flow })).runs.map(({ version }) => version);
  expect(await versions()).toEqual([
    { number: 2, name: null, state: null },
    { number: 1, name: null, state: null },
  ]);
  await publishFlow(localViewer, flow, first);
  expect(await versions()).toEqual([
    { number: 2, name: null, state: "draft" },
    { number: 1, name: null, state: "published" },
  ]);
  await publishFlow(localViewer, flow, second);
  expect((await versions()).map((version) => version?.state)).toEqual(["published", null]);
});

describe("two versions", () => {
  test("are compared by their ids, as published or as latest", async () => {
    await publishFlow(localViewer, flow, first);
    expect(await compareRevisions(withRole("viewer"), flow, { from: "published", to: "latest" })).toMatchObject({
      name: "Published",
      published: first,
      from: { id: first, number: 1, source },
      to: { id: second, number: 2, createdBy: "Anna" },
      revisions: [{ number: 2 }, { number: 1 }],
    });
    expect(await compareRevisions(apiKey, flow, { from: second, to: first })).toMatchObject({ to: { id: first } });
  });

  test("of other teams and flows are not there", async () => {
    const other = await createFlow(localViewer, { source });
    const refused = [
      compareRevisions(stranger, flow, { from: first, to: second }),
      compareRevisions(localViewer, flow, { from: first, to: other.revision }),
      compareRevisions(localViewer, flow, { from: "unknown", to: first }),
    ];
    await Promise.all(refused.map((promise) => expect(promise).rejects.toMatchObject({ code: "not_found" })));
    await expect(compareRevisions(localViewer, flow, { from: "published", to: first })).rejects.toMatchObject({
      code: "conflict",
    });
  });
});
