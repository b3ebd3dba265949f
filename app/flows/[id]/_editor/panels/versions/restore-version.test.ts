import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { localViewer } from "@/lib/server/auth/viewer";
import { getRevision, listRevisions } from "@/lib/server/flows/revisions";
import { LiveServer, loseConnection, type Page } from "../../state/testing/live-server";
import { openField } from "../../state/testing/open-together";
import { restoreVersion } from "./restore-version";

const first = `name: Shared
agents:
  a: { model: "demo:writer", instructions: "Begin" }
swarm: { type: workflow, flow: a }
`;
const second = first.replace("Begin", "Begin anew");
const server = new LiveServer();
beforeAll(() => server.start());
afterAll(() => server.end());

const textOf = ({ session }: Page): string => session.editor.store.getState().text;
const words = { name: "restore a version", version: "the version First" };
const restore = ({ session }: Page): Promise<boolean> =>
  restoreVersion(session, { source: first, layout: emptyLayout }, words);

function type({ session }: Page, letters: string): void {
  const field = openField(session, (value) => ({ type: "set-agent-field", name: "a", field: "instructions", value }));
  for (const letter of letters) field.type(letter);
  field.stop();
}

function listTold({ session }: Page): string[] {
  const told: string[] = [];
  for (const kind of ["info", "error"] as const)
    vi.spyOn(session.notify, kind).mockImplementation((message) => void told.push(message));
  return told;
}

async function listVersions(id: string): Promise<string[]> {
  const { revisions } = await listRevisions(localViewer, id);
  return Promise.all(revisions.map(async (revision) => (await getRevision(localViewer, id, revision.id)).source));
}

it("what someone else has just written is a version before another one is restored, and they are told once", async () => {
  const { id, ann, bob } = await server.openTwo(second);
  const told = [listTold(ann), listTold(bob)];
  bob.session.autosave.stop();
  for (const letters of [" one", " two", " three"]) {
    type(bob, letters);
    await expect.poll(() => textOf(ann)).toContain(`anew${letters}`);
    const seen = textOf(ann);
    expect(await restore(ann)).toBe(true);
    await expect.poll(() => textOf(bob)).toBe(first);
    await expect.poll(() => server.getSource(id)).toBe(first);
    expect(await listVersions(id)).toContain(seen);
    ann.session.editor.replace(second, emptyLayout);
    await expect.poll(() => textOf(bob)).toBe(second);
  }
  const done = "Restored the version First. Undo takes it back.";
  const notice = expect.stringMatching(/^\S.* restored the version First\. The flow before that is under Versions\.$/);
  expect(told).toEqual([
    [done, done, done],
    [notice, notice, notice],
  ]);
});

it("who was away is told, too", async () => {
  const { ann, bob } = await server.openTwo(second);
  const told = listTold(bob);
  await loseConnection(bob);
  expect(await restore(ann)).toBe(true);
  bob.setOnline(true);
  await expect.poll(() => textOf(bob)).toBe(first);
  expect(told).toEqual([expect.stringContaining("restored the version First.")]);
});

it("what was written here is a version before, and nothing is restored where it cannot be saved", async () => {
  const id = await server.createFlow(second);
  const ann = await server.open(id);
  const told = listTold(ann);
  await expect.poll(() => ann.session.live.store.getState().status).toBe("alone");
  ann.setOnline(false);
  type(ann, " mine");
  const seen = textOf(ann);
  expect(await restore(ann)).toBe(false);
  expect([textOf(ann), told]).toEqual([seen, [expect.stringContaining("was not restored")]]);
  ann.setOnline(true);
  expect(await restore(ann)).toBe(true);
  await expect.poll(() => server.getSource(id)).toBe(first);
  expect(await listVersions(id)).toEqual([first, seen, second]);
});
