import { beforeAll, expect, test } from "vitest";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow, saveFlow } from "../flows/commands";
import { publishFlow } from "../flows/publish";
import { restoreFlow, trashFlow } from "../flows/trash";
import { startServices } from "../start";
import { copyPublicFlow, getGalleryFlow, isInGallery, listGallery, listInGallery } from "./gallery";

const editor = toTeamViewer({ id: "ed", name: "Ed" }, { teamId: localTeamId, role: "editor" });
const stranger = toTeamViewer({ id: "eve", name: "Eve" }, { teamId: "elsewhere", role: "owner" });
const sourceOf = (name: string): string => `name: ${name}\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n`;

let db: Db;
beforeAll(async () => {
  process.env.SWARMLOOM_URL = "https://looms.example";
  db = await startServices();
});

const namesOf = async (page?: number): Promise<string[]> => (await listGallery(page)).flows.map(({ name }) => name);

test("Admins show a flow to everyone, and take it out again", async () => {
  const { id } = await createFlow(localViewer, { source: sourceOf("Shown") });
  for (const viewer of [editor, stranger])
    await expect(listInGallery(viewer, id, true)).rejects.toMatchObject({ name: "AppError" });
  expect(await namesOf()).toEqual([]);
  await listInGallery(localViewer, id, true);
  expect(await namesOf()).toEqual(["Shown"]);
  expect(await isInGallery(editor, id)).toBe(true);
  await listInGallery(localViewer, id, false);
  expect(await namesOf()).toEqual([]);
  await expect(getGalleryFlow(id)).rejects.toMatchObject({ code: "not_found" });
});

test("a flow in the trash is not shown, and is again once it was restored", async () => {
  const { id } = await createFlow(localViewer, { source: sourceOf("Discarded") });
  await listInGallery(localViewer, id, true);
  await trashFlow(localViewer, id);
  expect(await namesOf()).toEqual([]);
  const opened = [getGalleryFlow(id), copyPublicFlow(stranger, { flow: id })];
  await Promise.all(opened.map((open) => expect(open).rejects.toMatchObject({ code: "not_found" })));
  await restoreFlow(localViewer, id);
  expect(await namesOf()).toEqual(["Discarded"]);
  await listInGallery(localViewer, id, false);
});

test("the published version is shown and copied, else the newest", async () => {
  const { id, revision } = await createFlow(localViewer, { source: sourceOf("Versions") });
  await listInGallery(localViewer, id, true);
  const second = `${sourceOf("Versions")}# second\n`;
  await saveFlow(localViewer, id, { source: second, baseRevision: revision });
  expect((await getGalleryFlow(id)).source).toBe(second);
  await publishFlow(localViewer, id, revision);
  expect((await getGalleryFlow(id)).source).toBe(sourceOf("Versions"));
  const copy = await copyPublicFlow(stranger, { flow: id });
  const row = await db.flow.findUniqueOrThrow({ where: { id: copy.id } });
  expect(row).toMatchObject({ teamId: "elsewhere", listedAt: null, copiedFrom: expect.stringContaining("Versions") });
  await listInGallery(localViewer, id, false);
});

test("the list has the name, agents and picture of the published version, not of the draft", async () => {
  const { id, revision } = await createFlow(localViewer, { source: sourceOf("Published") });
  await listInGallery(localViewer, id, true);
  const two = `agents:\n  a: { model: "demo:a" }\n  b: { model: "demo:b" }\nswarm: { flow: a >> b }\n`;
  const listed = async () => (await listGallery()).flows.find((flow) => flow.id === id);
  const published = await listed();
  await publishFlow(localViewer, id, revision);
  const saved = await saveFlow(localViewer, id, { source: `name: Draft\n${two}`, baseRevision: revision });
  expect(await listed()).toEqual(published);
  expect(await getGalleryFlow(id)).toMatchObject({ name: "Published", agents: 1, agentNames: ["a"] });
  await publishFlow(localViewer, id, saved.revision);
  expect(await listed()).toMatchObject({ name: "Draft", agents: 2 });
  await listInGallery(localViewer, id, false);
});

test("a stored picture that is too large is not shown", async () => {
  const { id } = await createFlow(localViewer, { source: sourceOf("Large picture") });
  await listInGallery(localViewer, id, true);
  const columns = Array.from({ length: 8000 }, () => "123");
  await db.flow.update({ where: { id }, data: { picture: JSON.stringify({ type: "blocks", columns }) } });
  expect((await listGallery()).flows.find((flow) => flow.id === id)?.picture).toBeNull();
  await listInGallery(localViewer, id, false);
});

test("sixty are on a page, the newest first", async () => {
  for (let number = 0; number < 61; number++) {
    const { id } = await createFlow(localViewer, { source: sourceOf(`Flow ${number}`) });
    await db.flow.update({ where: { id }, data: { listedAt: new Date(1_000 * number) } });
  }
  const [first, second, third] = [await listGallery(), await listGallery(2), await listGallery(3)];
  expect([first.flows.length, first.hasMore, first.flows[0]?.name]).toEqual([60, true, "Flow 60"]);
  expect([second.flows.map(({ name }) => name), second.hasMore]).toEqual([["Flow 0"], false]);
  expect(third).toEqual({ flows: [], hasMore: false });
});
