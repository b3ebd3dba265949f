import { expect, it, vi } from "vitest";
import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import { followEdits } from "../follow-edits";
import type { Session } from "../session";
import { openSession } from "../testing/open-session";
import type { SaveWire } from "./autosave-driver";
import { recoverCopy, toLocalCopy } from "./local-copy";
import type { LocalCopy } from "./local-store";
import { watchConflicts } from "./resolve-conflict";
import { listSavedTabs, showCopy } from "./saved-copies";
import type { Snapshot, Theirs } from "./snapshot";

/** A server with one flow, whose answers can be lost on their way. */
class Server {
  head: Theirs = { source: "name: Mine\n", layout: emptyLayout, revision: "r1" };
  losesAnswers = false;
  isReachable = true;
  requests = 0;

  store(snapshot: Snapshot): void {
    this.head = { ...snapshot, revision: `r${Number(this.head.revision.slice(1)) + 1}` };
  }

  readonly wire: SaveWire = {
    save: async ({ snapshot, baseRevision }) => {
      this.requests++;
      const lost = { type: "failed", message: "The server did not answer.", retryable: true } as const;
      if (!this.isReachable) return lost;
      if (baseRevision !== this.head.revision) return { type: "conflicted", theirs: this.head };
      this.store(snapshot);
      return this.losesAnswers ? lost : { type: "succeeded", revision: this.head.revision };
    },
    current: async () => this.head,
  };

  /** `copy`: what the browser kept of the last visit. */
  open(copy: LocalCopy | null = null): Session {
    const { source, ...known } = this.head;
    const session = openSession(source, known, { wire: this.wire });
    followEdits(session);
    watchConflicts(session);
    session.live.setKnown();
    if (copy) {
      showCopy(session, copy);
      recoverCopy(session, copy);
    }
    return session;
  }
}

const type = ({ editor }: Session, source: string): void => editor.typeText(source);

/** The first save is stored, and nothing else; no answer arrives. Returns what the browser keeps. */
async function leaveWithoutAnswer(server: Server): Promise<LocalCopy> {
  const session = server.open();
  server.losesAnswers = true;
  type(session, "name: Mine\ndescription: one\n");
  expect(await session.autosave.flush()).toBe(false);
  server.isReachable = false;
  type(session, "name: Mine\ndescription: one two\n");
  expect(await session.autosave.flush()).toBe(false);
  type(session, "name: Mine\ndescription: one two three\n");
  const copy = toLocalCopy(session);
  session.autosave.stop();
  Object.assign(server, { isReachable: true, losesAnswers: false, requests: 0 });
  return copy ?? expect.fail("Unsaved changes are expected.");
}

it("who returns goes on from what was saved without an answer, and is not asked", async () => {
  const server = new Server();
  const copy = await leaveWithoutAnswer(server);
  expect(server.head.source).toBe("name: Mine\ndescription: one\n");
  const again = server.open(copy);
  expect(await again.autosave.flush()).toBe(true);
  expect(server.head.source).toBe("name: Mine\ndescription: one two three\n");
  expect(server.requests).toBe(1);
  expect(again.view.getState().dialog).toBeNull();
});

it("such a copy is shown without a request", async () => {
  const server = new Server();
  const copy = await leaveWithoutAnswer(server);
  const request = vi.fn(async () => new Response("{}", { status: 404 }));
  vi.stubGlobal("fetch", request);
  expect(await listSavedTabs("f", [{ tab: "t", copy }], server.head)).toEqual([]);
  vi.unstubAllGlobals();
  expect(request).not.toHaveBeenCalled();
});

it("a page that stays open goes on from what was saved without an answer", async () => {
  const server = new Server();
  const session = server.open();
  server.losesAnswers = true;
  type(session, "name: Mine\ndescription: one\n");
  expect(await session.autosave.flush()).toBe(false);
  server.losesAnswers = false;
  type(session, "name: Mine\ndescription: one two\n");
  expect(await session.autosave.flush()).toBe(true);
  expect(server.head.source).toBe("name: Mine\ndescription: one two\n");
  expect(session.autosave.store.getState().phase).toBe("saved");
});

it("what others wrote after it is a conflict all the same", async () => {
  const server = new Server();
  const copy = await leaveWithoutAnswer(server);
  server.store({ ...server.head, source: "name: Theirs\ndescription: else\n" });
  const again = server.open(copy);
  expect(await again.autosave.flush()).toBe(false);
  await expect.poll(() => again.view.getState().dialog).toBe("conflict");
});

it.each<[string, Layout]>([
  ["the same", emptyLayout],
  ["with another layout", { ...emptyLayout, direction: "down" }],
])("a text that no one changed is no conflict for who returns: a new revision is %s", async (_, layout) => {
  const server = new Server();
  const session = server.open();
  server.isReachable = false;
  type(session, "name: Mine\ndescription: one\n");
  const copy = toLocalCopy(session);
  session.autosave.stop();
  server.isReachable = true;
  server.store({ ...server.head, layout });
  const again = server.open(copy);
  await again.autosave.flush();
  await expect.poll(() => again.autosave.store.getState().phase).toBe("saved");
  expect(again.view.getState().dialog).toBeNull();
  expect(server.head).toMatchObject({ source: "name: Mine\ndescription: one\n", layout });
});

it("who types on after a reload is not asked about what the page sent when it was left", async () => {
  const server = new Server();
  const session = server.open();
  type(session, "name: Mine\ndescription: one\n");
  const copy = toLocalCopy(session) ?? expect.fail("Unsaved changes are expected.");
  const again = server.open(copy);
  // The request on leaving arrives after the new page was read, and nothing in the copy tells of it.
  server.store(copy.current);
  type(again, "name: Mine\ndescription: one two\n");
  expect(await again.autosave.flush()).toBe(true);
  expect(again.view.getState().dialog).toBeNull();
  expect(server.head.source).toBe("name: Mine\ndescription: one two\n");
});
