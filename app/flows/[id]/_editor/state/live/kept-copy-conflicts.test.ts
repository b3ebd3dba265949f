import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { localViewer } from "@/lib/server/auth/viewer";
import { LiveFlow } from "@/lib/server/collaboration/live-flow";
import { saveFlow } from "@/lib/server/flows/commands";
import type { SavePhase } from "../save/autosave";
import { toLocalCopy } from "../save/local-copy";
import type { LocalCopy } from "../save/local-store";
import { mergeConflict } from "../save/merge-conflict";
import { saveMerged, takeTheirs } from "../save/resolve-conflict";
import { LiveServer, loseConnection, type Page } from "../testing/live-server";
import { removeAgent } from "../testing/structure-edits";

const source = `name: Shared
agents:
  a: { model: "demo:writer", instructions: "Begin" }
  b: { model: "demo:writer" }
  c: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a >> b >> c
`;
const server = new LiveServer();
beforeAll(() => server.start());
afterAll(() => server.end());

const textOf = ({ session }: Page): string => session.editor.store.getState().text;

/** Ann deleted `b` offline and left; Bob deleted `a` since. */
async function leaveOffline(): Promise<{ id: string; bob: Page; copy: LocalCopy | null }> {
  const { id, ann, bob } = await server.openTwo(source);
  await loseConnection(ann);
  ann.session.autosave.stop();
  ann.session.editor.dispatch([removeAgent("b")]);
  const copy = toLocalCopy(ann.session);
  ann.close();
  bob.session.editor.dispatch([removeAgent("a")]);
  await bob.session.autosave.flush();
  return { id, bob, copy };
}

async function expectMerged(id: string, pages: readonly Page[]): Promise<void> {
  for (const page of pages) await expect.poll(() => textOf(page)).toContain("  flow: c\n");
  await expect.poll(() => server.getSource(id)).toBe(textOf(pages[0] ?? expect.fail("No page is open.")));
}

it("nothing of a kept document is saved by requests before it is joined", async () => {
  const { id, bob, copy } = await leaveOffline();
  const again = await server.open(id, copy, { isConnected: false });
  const phases = new Set<SavePhase>();
  again.session.autosave.store.subscribe(({ phase }) => phases.add(phase));
  const saved = again.session.autosave.flush();
  await again.session.live.settled();
  again.connect();
  expect(await saved).toBe(true);
  await expectMerged(id, [again, bob]);
  expect([...phases]).not.toContain("conflict");
});

it("a conflict from before is over once the document is open: its dialog can replace nothing", async () => {
  const { id, bob, copy } = await leaveOffline();
  const again = await server.open(id, copy, { isConnected: false });
  const { autosave, view, live } = again.session;
  const theirs = { source: "name: Old\n", layout: { pins: {} }, revision: "r" };
  autosave.apply({ type: "conflicted", theirs });
  // The user opens the dialog while the document is being joined.
  live.store.subscribe(({ status }) => {
    if (status === "reconnecting") view.setState({ dialog: "conflict" });
  });
  again.connect();
  await expectMerged(id, [again, bob]);
  await expect.poll(() => autosave.store.getState().phase).toBe("saved");
  expect(view.getState().dialog).toBeNull();
  expect(takeTheirs(again.session, theirs)).toBe(false);
  expect(saveMerged(again.session, theirs, theirs)).toBe(false);
  await expectMerged(id, [again, bob]);
});

it("what the user decided without a connection is not undone by the kept document", async () => {
  const { id, bob, copy } = await leaveOffline();
  const again = await server.open(id, copy, { isConnected: false });
  again.setLive(false);
  again.connect();
  const { autosave } = again.session;
  await expect.poll(() => autosave.store.getState().phase).toBe("conflict");
  const { theirs } = autosave.store.getState();
  if (!theirs) throw new Error("A conflict is expected.");
  bob.session.editor.dispatch([{ type: "set-agent-field", name: "c", field: "instructions", value: "More" }]);
  await bob.session.autosave.flush();
  expect(takeTheirs(again.session, theirs)).toBe(true);
  again.setLive(true);
  await expect.poll(() => textOf(again)).toContain("More");
  expect(textOf(again)).toContain("  flow: b >> c\n");
  expect(textOf(again)).toBe(textOf(bob));
});

it.each(["before the document is asked for", "before the document has come"])(
  "who meets a conflict before the others is not asked, also when the connection is cut %s",
  async (moment) => {
    const { id, bob } = await leaveOffline();
    const ann = await server.open(id, null, { isConnected: false });
    const { autosave, live, view, editor } = ann.session;
    const dialogs = new Set<unknown>();
    view.subscribe(({ dialog }) => dialogs.add(dialog));
    bob.session.editor.dispatch([{ type: "set-agent-field", name: "c", field: "instructions", value: "Theirs" }]);
    await bob.session.autosave.flush();
    editor.dispatch([{ type: "set-agent-field", name: "c", field: "instructions", value: "Mine" }]);
    expect(await autosave.flush()).toBe(false);
    expect(autosave.store.getState().phase).toBe("conflict");
    const cut = new Promise<void>((resolve) => {
      const stop = live.store.subscribe(({ status }) => {
        if (status !== "alone") return;
        stop();
        const wait = moment === "before the document is asked for" ? queueMicrotask : setTimeout;
        wait(() => ann.setOnline(false));
        resolve();
      });
    });
    ann.connect();
    await cut;
    await expect.poll(() => live.store.getState().status).toBe("off");
    // As long as it takes to ask.
    await new Promise((resolve) => setTimeout(resolve, 200));
    ann.setOnline(true);
    await expect.poll(() => textOf(bob)).toContain("Mine");
    expect(textOf(bob)).toContain("Theirs");
    await expect.poll(() => textOf(ann)).toBe(textOf(bob));
    expect([...dialogs]).not.toContain("conflict");
  },
);

const set = ({ session }: Page, name: string, value: string): void =>
  void session.editor.dispatch([{ type: "set-agent-field", name, field: "instructions", value }]);

/** Both wrote "Begin" where there was a long text, and Ann something of her own; her tab died offline. */
async function leaveAfterSameDeletion(): Promise<{ id: string; bob: Page; copy: LocalCopy | null }> {
  const long = source.replace("Begin", `Begin ${"with a text that both of them delete ".repeat(3)}`);
  const { id, ann, bob } = await server.openTwo(long);
  await loseConnection(ann);
  ann.session.autosave.stop();
  set(ann, "a", "Begin");
  set(ann, "b", "Mine");
  const copy = toLocalCopy(ann.session);
  ann.close();
  set(bob, "a", "Begin");
  await bob.session.autosave.flush();
  return { id, bob, copy };
}

it("what one of two wrote is kept where both deleted the same, though a request of it met a conflict before", async () => {
  const { id, bob, copy } = await leaveAfterSameDeletion();
  const again = await server.open(id, copy, { isConnected: false });
  again.setLive(false);
  again.connect();
  const { autosave, view } = again.session;
  await expect.poll(() => autosave.store.getState().phase).toBe("conflict");
  await expect.poll(() => view.getState().dialog).toBe("conflict");
  view.setState({ dialog: null });
  again.setLive(true);
  await expect.poll(() => textOf(bob)).toContain("Mine");
  await expect.poll(() => textOf(again)).toBe(textOf(bob));
});

it("what one of two wrote is kept where both deleted the same, though the document began anew meanwhile", async () => {
  const { id, bob, copy } = await leaveAfterSameDeletion();
  bob.close();
  await server.stop();
  await server.beginAnew(id);
  await server.start();
  const other = await server.open(id);
  const again = await server.open(id, copy);
  await expect.poll(() => textOf(other)).toContain("Mine");
  await expect.poll(() => textOf(again)).toBe(textOf(other));
});

it("what a request stored without an answer is not there twice after two visits", async () => {
  const { id, ann, bob } = await server.openTwo(source);
  ann.session.autosave.stop();
  await loseConnection(ann);
  set(ann, "a", "Begin mine");
  const first = toLocalCopy(ann.session);
  for (const page of [ann, bob]) page.close();
  const second = await server.open(id, first, { isConnected: false });
  second.setLive(false);
  second.setAnswers(false);
  second.connect();
  await expect.poll(() => server.getSource(id)).toContain("Begin mine");
  set(second, "a", "Begin mine more");
  const copy = toLocalCopy(second.session);
  second.close();
  const other = await server.open(id);
  const third = await server.open(id, copy);
  await expect.poll(() => textOf(other)).toContain('"Begin mine more"');
  await expect.poll(() => textOf(third)).toBe(textOf(other));
  expect(third.session.live.store.getState().twins).toEqual([]);
});

it("what a request stores after the document was joined is not there twice, though the user typed on", async () => {
  const id = await server.createFlow(source);
  const ann = await server.open(id, null, { isConnected: false });
  const { autosave, editor } = ann.session;
  const base = autosave.store.getState().revision;
  ann.setAnswers(false);
  ann.setOnline(false);
  set(ann, "a", "Begin one");
  await autosave.flush();
  const late = editor.store.getState().text;
  set(ann, "a", "Begin one two");
  ann.setOnline(true);
  ann.setAnswers(true);
  const { flush } = autosave;
  // The server stores it between the join and the first save.
  autosave.flush = async () => {
    await saveFlow(localViewer, id, { source: late, baseRevision: base }).catch(() => null);
    return flush();
  };
  const bob = await server.open(id);
  ann.connect();
  await expect.poll(() => ann.session.live.store.getState().status).toBe("together");
  await expect.poll(() => server.getSource(id)).toContain("two");
  await expect.poll(() => textOf(bob)).toBe(textOf(ann));
  expect(textOf(ann)).toContain('instructions: "Begin one two"');
  expect(await server.getSource(id)).toBe(textOf(ann));
});

it("what a request stores before the document is joined is not there twice, though the server refuses nothing", async ({
  onTestFinished,
}) => {
  const refuseLate = vi.spyOn(LiveFlow.prototype, "refuseLate").mockRejectedValue(new Error("The database is busy."));
  onTestFinished(() => refuseLate.mockRestore());
  const id = await server.createFlow(source);
  const ann = await server.open(id, null, { isConnected: false });
  const { autosave, editor, live } = ann.session;
  const base = autosave.store.getState().revision;
  ann.setAnswers(false);
  ann.setOnline(false);
  set(ann, "a", "Begin one");
  await autosave.flush();
  const late = editor.store.getState().text;
  set(ann, "a", "Begin one two");
  ann.setOnline(true);
  ann.setAnswers(true);
  const bob = await server.open(id);
  const { later } = live.wire;
  live.wire.later = async (...asked) => {
    const answer = await later?.(...asked);
    await saveFlow(localViewer, id, { source: late, baseRevision: base });
    await expect.poll(() => textOf(bob)).toContain("one");
    set(bob, "a", "Begin one Theirs");
    await bob.session.autosave.flush();
    return answer ?? null;
  };
  ann.connect();
  await expect.poll(() => live.store.getState().status).toBe("together");
  expect(refuseLate).toHaveBeenCalledOnce();
  await expect.poll(() => server.getSource(id)).toContain("two");
  await expect.poll(() => textOf(bob)).toBe(textOf(ann));
  expect(textOf(ann)).toMatch(/instructions: "Begin one (two Theirs|Theirs two)"/);
});

it("what a save of the document without an answer may have stored is not there twice after a reload", async () => {
  const { id, ann, bob } = await server.openTwo(source);
  set(ann, "a", "Begin mine");
  void ann.session.autosave.flush();
  const copy = toLocalCopy(ann.session);
  expect(copy?.sent).toEqual([]);
  expect(copy?.shared).toBeDefined();
  await expect.poll(() => server.getSource(id)).toContain("mine");
  ann.close();
  await expect.poll(() => textOf(bob)).toContain("mine");
  set(bob, "a", "Begin mine and theirs");
  const again = await server.open(id, copy);
  await expect.poll(() => again.session.live.store.getState().status).toBe("together");
  await expect.poll(() => textOf(again)).toBe(textOf(bob));
  expect(textOf(bob)).toContain('instructions: "Begin mine and theirs"');
  expect(again.session.live.store.getState().twins).toEqual([]);
});

async function beginAnew(id: string, pages: readonly Page[]): Promise<void> {
  await server.stop();
  await server.beginAnew(id);
  await server.start();
  for (const page of pages) {
    page.setOnline(false);
    page.setOnline(true);
  }
}

/** What Ann wrote has arrived at Bob's page, and she has no network any more. */
async function writeAndLose(): ReturnType<typeof server.openTwo> {
  const opened = await server.openTwo(source);
  const { ann, bob } = opened;
  ann.session.autosave.stop();
  set(ann, "a", "Begin mine");
  await expect.poll(() => textOf(bob)).toContain("Begin mine");
  await loseConnection(ann);
  return opened;
}

it("letters that never arrived are not lost where the document begins anew beside what others wrote since", async () => {
  const { id, ann, bob } = await server.openTwo(source);
  ann.loseSent();
  set(ann, "a", "Begin mine");
  set(bob, "b", "A much longer text of someone else, in another agent, which Ann receives");
  await expect.poll(() => textOf(ann)).toContain("someone else");
  await bob.session.autosave.flush();
  await beginAnew(id, [ann, bob]);
  await expect.poll(() => textOf(bob), { timeout: 10_000 }).toContain('"Begin mine"');
  await expect.poll(() => textOf(ann)).toBe(textOf(bob));
  expect(textOf(bob)).toContain("someone else");
});

it("what was sent before letters that never arrived is known where the document begins anew", async () => {
  const { id, ann, bob } = await server.openTwo(source);
  ann.session.autosave.stop();
  set(ann, "a", "Begin mine");
  await expect.poll(() => textOf(bob)).toContain("Begin mine");
  ann.loseSent();
  set(ann, "a", "Begin mine, and a second thought that is lost on its way");
  set(bob, "b", "Short");
  await expect.poll(() => textOf(ann)).toContain("Short");
  await bob.session.autosave.flush();
  await beginAnew(id, [ann, bob]);
  const whole = '"Begin mine, and a second thought that is lost on its way"';
  await expect.poll(() => textOf(bob), { timeout: 10_000 }).toContain(whole);
  await expect.poll(() => textOf(ann)).toBe(textOf(bob));
  expect(ann.session.live.store.getState().twins).toEqual([]);
});

it("what was undone after it had arrived does not come back, though the page was closed without a connection", async () => {
  const { id, ann, bob } = await writeAndLose();
  set(ann, "a", "Begin");
  const copy = toLocalCopy(ann.session);
  expect(copy?.current.source).toBe(source);
  for (const page of [ann, bob]) page.close();
  await expect.poll(() => server.getSource(id), { timeout: 10_000 }).toContain("Begin mine");
  const again = await server.open(id, copy);
  await expect.poll(() => again.session.live.store.getState().status).toBe("together");
  await expect.poll(() => server.getSource(id)).toBe(source);
});

it("what was deleted in a document that is not gone on with is deleted when it is joined, and nothing else changes", async () => {
  const { id, ann, bob } = await writeAndLose();
  // What was written offline, and deleted, has not arrived.
  for (const text of ["Begin mine, too", "Begin"]) set(ann, "a", text);
  const { shared } = toLocalCopy(ann.session) ?? {};
  if (!shared) throw new Error("A document is expected.");
  expect(shared.hasDeleted).toBe(true);
  ann.close();
  set(bob, "a", "Begin mine and theirs");
  await bob.session.autosave.flush();
  const again = await server.open(id, null, { isConnected: false });
  const done = vi.fn();
  again.session.live.copies.deletions.keep(shared, done);
  again.connect();
  await expect.poll(() => textOf(bob)).toContain('"Begin and theirs"');
  await expect.poll(() => textOf(again)).toBe(textOf(bob));
  expect(done).toHaveBeenCalledOnce();
});

it("a conflict is none about what the document of the last visit had sent, where no connection can be opened", async () => {
  const { id, ann, bob } = await writeAndLose();
  set(ann, "a", "Begin mine, and more");
  const copy = toLocalCopy(ann.session);
  set(bob, "c", "Bob");
  await bob.session.autosave.flush();
  for (const page of [ann, bob]) page.close();
  const again = await server.open(id, copy, { isConnected: false });
  again.setLive(false);
  again.connect();
  const { autosave } = again.session;
  await expect.poll(() => autosave.store.getState().phase, { timeout: 10_000 }).toBe("conflict");
  const state = autosave.store.getState();
  const { conflicts, text } = mergeConflict(
    state,
    state.current,
    state.theirs ?? expect.fail("A conflict is expected."),
  );
  expect(conflicts).toBe(0);
  expect(text).toContain('"Begin mine, and more"');
  expect(text).toContain('"Bob"');
});

it("who was alone and offline is told of a value and a name that others changed meanwhile: theirs stay", async () => {
  const id = await server.createFlow(source.replace("\n  b:", "\n  b_b:").replace(">> b >>", ">> b_b >>"));
  const ann = await server.open(id, null, { isConnected: false });
  ann.setOnline(false);
  const bob = await server.open(id);
  const write = ({ session }: Page, model: string, name: string): void =>
    void session.editor.dispatch([
      { type: "set-agent-field", name: "a", field: "model", value: model },
      { type: "rename", from: "b_b", to: name },
    ]);
  write(bob, "demo:planner", "scribe");
  await bob.session.autosave.flush();
  write(ann, "demo:critic", "author");
  const told: string[] = [];
  vi.spyOn(ann.session.notify, "info").mockImplementation((message) => void told.push(message));
  ann.setOnline(true);
  ann.connect();
  await expect.poll(() => ann.session.live.store.getState().status).toBe("together");
  await expect.poll(() => textOf(ann)).toBe(textOf(bob));
  expect(textOf(ann)).toContain('a: { model: "demo:planner"');
  expect(textOf(ann)).toContain("flow: a >> scribe >> c");
  expect(textOf(ann)).not.toMatch(/critic|author/);
  expect(told).toEqual([
    expect.stringContaining('renamed "b_b" to "scribe" at the same time. Your "author" was not kept.'),
    expect.stringContaining('set model to "demo:planner" at the same time. Your "demo:critic" was not kept.'),
  ]);
  vi.restoreAllMocks();
});
