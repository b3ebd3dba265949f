import "fake-indexeddb/auto";
import * as idb from "idb-keyval";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { localDatabase } from "@/app/_ui/local-data";
import { type Edit, emptyLayout } from "@/lib/core/flow/edit";
import { toLocalCopy } from "../save/local-copy";
import { type LocalCopy, readStoredState, storeTabState } from "../save/local-store";
import { LiveServer, loseConnection, type Page } from "../testing/live-server";
import { openField } from "../testing/open-together";
import { startLocalBackup } from "./local-backup";

const source = `name: Shared
agents:
  a:
    model: "demo:writer"
    instructions: |-
      Begin
  b:
    model: "demo:writer"
    instructions: |-
      Other
    max_steps: 5
swarm:
  type: workflow
  flow: a >> b
`;
const server = new LiveServer();
beforeAll(async () => {
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run));
  vi.stubGlobal("localStorage", { getItem: () => null });
  await server.start();
});
const openStore = () => idb.createStore(...localDatabase());
beforeEach(() => idb.clear(openStore()));
afterAll(() => server.end());

const set = (name: string, field: "instructions" | "max_steps", value: string | number): Edit => ({
  type: "set-agent-field",
  name,
  field,
  value,
});
const textOf = ({ session }: Page): string => session.editor.store.getState().text;

function type({ session }: Page, agent: string, letters: string): void {
  const field = openField(session, (value) => set(agent, "instructions", value));
  for (const letter of letters) field.type(letter);
  field.stop();
}

/** Two tabs, which write without a connection and are closed. Returns what the browser keeps of both. */
async function leaveTwo(write: (first: Page, second: Page) => void): Promise<{ id: string; copies: LocalCopy[] }> {
  const { id, ann: first, bob: second } = await server.openTwo(source);
  const tabs = [first, second];
  for (const tab of tabs) tab.setOnline(false);
  for (const tab of tabs) await expect.poll(() => tab.session.live.store.getState().status).toBe("reconnecting");
  for (const tab of tabs) tab.session.autosave.stop();
  write(first, second);
  const copies = tabs.flatMap(({ session }) => toLocalCopy(session) ?? []);
  for (const tab of tabs) tab.close();
  return { id, copies };
}

/** What the browser keeps of tabs: those that `reopen` puts there, and the open one. */
async function listCopies(id: string) {
  const { copies = [] } = (await readStoredState(id, emptyLayout)) ?? {};
  return copies.map(({ tab, copy }) => ({ tab: tab.startsWith("tab ") ? tab : "open", copy }));
}
const listTabs = async (id: string): Promise<string[]> => (await listCopies(id)).map(({ tab }) => tab);

/** Opens the flow with what the browser kept, before it is connected. */
async function reopen(
  id: string,
  copies: readonly LocalCopy[],
  prepare?: () => void,
): Promise<{ page: Page; told: string[] }> {
  for (const [index, copy] of copies.entries()) await storeTabState(id, `tab ${index}`, { copy, history: undefined });
  const page = await server.open(id, null, { isConnected: false });
  const told: string[] = [];
  for (const kind of ["info", "error"] as const)
    vi.spyOn(page.session.notify, kind).mockImplementation((message) => void told.push(message));
  prepare?.();
  Object.assign(window, { addEventListener: () => undefined, removeEventListener: () => undefined });
  await startLocalBackup(page.session).restored;
  return { page, told };
}

it.each(["of one document", "without a document"])(
  "restores what two closed tabs wrote, and asks where both wrote in one place: %s",
  async (what) => {
    const { id, copies } = await leaveTwo((first, second) => {
      type(first, "a", " one");
      type(first, "b", " mine");
      type(second, "a", " two");
    });
    const kept = what === "of one document" ? copies : copies.map(({ shared: _, ...copy }) => copy);
    const { page, told } = await reopen(id, kept);
    expect(textOf(page)).toMatch(/Begin (one|two)\s*\S* ?(one|two)\n/);
    expect(textOf(page)).toContain("Other mine\n");
    expect(await listTabs(id)).toEqual(["open"]);
    const [twin, ...others] = page.session.live.store.getState().twins;
    expect(others).toEqual([]);
    expect(twin?.parts.toSorted((a, b) => a.text.localeCompare(b.text))).toEqual([
      { text: "Begin one", name: "your other tab" },
      { text: "Begin two", name: null },
    ]);
    expect(told).toEqual(["Unsaved changes from your last visit were restored."]);
    page.connect();
    await expect.poll(() => server.getSource(id)).toBe(textOf(page));
    for (const word of ["one", "two", "mine"]) expect(textOf(page).match(new RegExp(word, "g"))).toHaveLength(1);
  },
);

/** Ann wrote with others, then without a connection, and left. */
async function leaveOffline(change: (ann: Page) => void): Promise<{ id: string; bob: Page; copy: LocalCopy }> {
  const { id, ann, bob } = await server.openTwo(source);
  type(ann, "a", " one");
  await expect.poll(() => textOf(bob)).toContain("Begin one");
  ann.session.autosave.stop();
  await loseConnection(ann);
  change(ann);
  const copy = toLocalCopy(ann.session);
  if (!copy) throw new Error("A copy is expected.");
  ann.close();
  return { id, bob, copy };
}

it("what a tab wrote in a document is there once beside what a later tab wrote without one", async () => {
  const { id, bob, copy } = await leaveOffline((ann) => type(ann, "b", " mine"));
  bob.close();
  const plain = { base: copy.base, current: { ...copy.base, source: copy.base.source.replace("Other", "Another") } };
  const { page } = await reopen(id, [copy, plain]);
  page.connect();
  await expect.poll(() => page.session.live.store.getState().status).toBe("together");
  await expect.poll(() => server.getSource(id)).toBe(textOf(page));
  for (const word of ["Begin one\n", "Another mine\n"]) expect(textOf(page).split(word)).toHaveLength(2);
});

it("what was undone is undone for all, though the flow has all of what the tab had written", async () => {
  const { id, bob, copy } = await leaveOffline((ann) => ann.session.editor.undo());
  expect(copy.current.source).toBe(source);
  type(bob, "b", " theirs");
  await bob.session.autosave.flush();
  bob.close();
  const { page, told } = await reopen(id, [copy]);
  expect(textOf(page)).toContain("Begin one");
  expect([told, await listTabs(id)]).toEqual([[], ["tab 0"]]);
  page.connect();
  await expect.poll(() => server.getSource(id), { timeout: 10_000 }).toBe(source.replace("Other", "Other theirs"));
  await expect.poll(() => listTabs(id)).toEqual([]);
});

it("asks about the text of either tab where someone else wrote there meanwhile", async () => {
  const { id, copies } = await leaveTwo((first, second) => {
    type(first, "a", " one");
    type(second, "b", " two");
  });
  const other = await server.open(id);
  type(other, "a", " theirs");
  type(other, "b", " theirs");
  await other.session.autosave.flush();
  const { page } = await reopen(id, copies);
  page.connect();
  await expect.poll(() => page.session.live.store.getState().twins).toHaveLength(2);
  await expect.poll(() => textOf(other)).toBe(textOf(page));
});

it("says which value of two tabs is not kept", async () => {
  const { id, copies } = await leaveTwo(({ session: first }, { session: second }) => {
    first.editor.dispatch([set("b", "max_steps", 7)]);
    second.editor.dispatch([set("b", "max_steps", 3)]);
  });
  const { page, told } = await reopen(id, copies);
  const kept = page.session.editor.store.getState().flow.agents.get("b")?.max_steps;
  expect([3, 7]).toContain(kept);
  expect(told).toContainEqual(expect.stringMatching(new RegExp(`max steps.*${kept}.*${kept === 3 ? 7 : 3}.*not kept`)));
});

it("what a page that is left writes has its document, and nothing is written afterwards", async () => {
  const id = await server.createFlow(source);
  const [page, other] = [await server.open(id), await server.open(id)];
  Object.assign(window, { addEventListener: () => undefined, removeEventListener: () => undefined });
  const backup = startLocalBackup(page.session);
  await backup.restored;
  for (const { session } of [page, other])
    await expect.poll(() => session.live.store.getState().status).toBe("together");
  await loseConnection(page);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await listCopies(id)).toEqual([]);
  page.session.editor.dispatch([set("a", "instructions", "Offline")]);
  backup.stop(Promise.resolve(false));
  page.close();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const copies = await listCopies(id);
  expect(copies).toHaveLength(1);
  expect(copies[0]?.copy.shared).toBeDefined();
});

it("copies of closed tabs stay until the restored state is stored, and are deleted with it", async () => {
  const { id, copies } = await leaveTwo((first, second) => {
    type(first, "a", " one");
    type(second, "b", " two");
  });
  const put = vi.spyOn(IDBObjectStore.prototype, "put");
  const fill = (): void =>
    void put.mockImplementation(() => {
      throw new DOMException("The storage is full.", "QuotaExceededError");
    });
  const { page } = await reopen(id, copies, fill);
  expect(textOf(page)).toContain("Begin one\n");
  expect(await listTabs(id)).toEqual(["tab 0", "tab 1"]);
  expect(page.session.backup.getState().isFailing).toBe(true);
  put.mockRestore();
  type(page, "a", " more");
  await expect.poll(() => listTabs(id)).toEqual(["open"]);
  expect(page.session.backup.getState().isFailing).toBe(false);
});

it("tells of a copy that cannot be read, and deletes it", async () => {
  const id = await server.createFlow(source);
  await idb.set(["copy", id, "tab 0"], { version: 1, base: null }, openStore());
  const { page, told } = await reopen(id, []);
  expect(textOf(page)).toBe(source);
  expect(told).toEqual(["Unsaved changes from an earlier visit could not be read, and are lost."]);
  expect(await idb.keys(openStore())).not.toContainEqual(["copy", id, "tab 0"]);
});
