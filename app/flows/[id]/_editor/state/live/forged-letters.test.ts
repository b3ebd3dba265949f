import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import * as Y from "yjs";
import { listUpdates, type StoredUpdate } from "@/lib/server/collaboration/document-rows";
import { encodeRawUpdate, encodeRemoved } from "@/lib/server/collaboration/testing/raw-update";
import { TestEditor } from "@/lib/server/collaboration/testing/test-editor";
import { getDb } from "@/lib/server/db";
import { toLocalCopy } from "../save/local-copy";
import { LiveServer, type Page } from "../testing/live-server";
import { openField } from "../testing/open-together";

const source = `name: Shared
agents:
  a: { model: "demo:writer", instructions: "Begin" }
  b: { model: "demo:writer", instructions: "Other" }
swarm:
  type: workflow
  flow: a >> b
`;
const server = new LiveServer();
beforeAll(() => server.start());
afterAll(() => server.end());

const textOf = ({ session }: Page): string => session.editor.store.getState().text;
const statusOf = ({ session }: Page): string => session.live.store.getState().status;

function type({ session }: Page, letters: string): void {
  const field = openField(session, (value) => ({ type: "set-agent-field", name: "a", field: "instructions", value }));
  for (const letter of letters) field.type(letter);
  field.stop();
}

/** A client that writes with the ids of others. */
async function openForger(id: string): Promise<TestEditor> {
  const forger = await new TestEditor(`${server.url.replace("http", "ws")}/api/v1/flows/${id}/live`).connect();
  forger.join();
  await expect.poll(() => forger.text).not.toBe("");
  return forger;
}

/** A page, after it has written, and a client that knows its id. */
async function openBoth() {
  const id = await server.createFlow(source);
  const forger = await openForger(id);
  const ann = await server.open(id);
  await expect.poll(() => statusOf(ann)).toBe("together");
  type(ann, " one");
  await expect.poll(() => forger.text).toContain("Begin one");
  const client = findWriter(forger.doc);
  await ann.session.autosave.flush();
  return { id, ann, forger, client, clock: () => Y.getState(forger.doc.store, client) };
}

/** The id of the document that wrote last after the word `Begin`. */
function findWriter(doc: Y.Doc): number {
  let writer = 0;
  for (let item = doc.getText("source")._start; item; item = item.right)
    if (!item.deleted && item.content instanceof Y.ContentString && item.content.str.includes("one"))
      writer = item.id.client;
  return writer;
}

const writeText = (client: number, clock: number, length: number): Uint8Array =>
  encodeRawUpdate({ items: new Map([[client, { clock, items: [{ text: `${"#".repeat(length - 1)}\n` }] }]]) });

const written = " an hour of work";

const forgeries: [string, (client: number, clock: number) => Uint8Array][] = [
  ["more removed letters than were written", (client, clock) => encodeRemoved(client, clock, 100_000)],
  ["as many removed letters", (client, clock) => encodeRemoved(client, clock, written.length)],
  ["fewer removed letters", (client, clock) => encodeRemoved(client, clock, 5)],
  ["more letters than were written", (client, clock) => writeText(client, clock, 500)],
  ["as many letters", (client, clock) => writeText(client, clock, written.length)],
  ["fewer letters", (client, clock) => writeText(client, clock, 5)],
];

async function expectShared(id: string, page: Page, text: string): Promise<void> {
  await expect.poll(() => server.getSource(id), { timeout: 10_000 }).toContain(text);
  expect(textOf(page)).toContain(text);
  expect(statusOf(page)).toBe("together");
  await expect.poll(() => page.session.autosave.store.getState().phase).toBe("saved");
}

describe.each(forgeries)("where someone wrote %s with the id of a user", (_, forge) => {
  it("what that user wrote offline is kept", async () => {
    const { id, ann, forger, client, clock } = await openBoth();
    ann.setOnline(false);
    await expect.poll(() => statusOf(ann)).toBe("reconnecting");
    type(ann, written);
    forger.sendBytes(forge(client, clock()));
    forger.type((text) => text.replace("Other", "Other too"));
    await expect.poll(() => server.getSource(id), { timeout: 10_000 }).toContain("Other too");
    ann.setOnline(true);
    await expectShared(id, ann, `Begin one${written}"`);
    expect(textOf(ann)).toContain("Other too");
  });

  it("what the browser of that user kept is restored", async () => {
    const { id, ann, forger, client, clock } = await openBoth();
    ann.setOnline(false);
    await expect.poll(() => statusOf(ann)).toBe("reconnecting");
    type(ann, written);
    const copy = toLocalCopy(ann.session);
    ann.close();
    forger.sendBytes(forge(client, clock()));
    forger.type((text) => text.replace("Other", "Other too"));
    await expect.poll(() => server.getSource(id), { timeout: 10_000 }).toContain("Other too");
    const again = await server.open(id, copy);
    await expectShared(id, again, `Begin one${written}"`);
    expect(textOf(again)).toContain("Other too");
  });

  it("what that user sends at the same time is kept", async () => {
    const { id, ann, forger, client, clock } = await openBoth();
    forger.sendBytes(forge(client, clock()));
    type(ann, written);
    await expectShared(id, ann, `Begin one${written}"`);
  });
});

/** Takes out of the server everything that was written after `rows` were read, as when an older backup is restored. */
async function restoreRows(id: string, rows: readonly StoredUpdate[]): Promise<void> {
  const db = await getDb();
  const author = { createdAt: new Date(), createdById: "local", createdBy: "You" };
  await db.flowUpdate.deleteMany({ where: { flowId: id } });
  await db.flowUpdate.createMany({
    data: rows.map(({ seq, update }) => ({ flowId: id, seq, body: Buffer.from(update).toString("base64"), ...author })),
  });
}

describe("after an older backup of the server was restored", () => {
  /** `whenRestored` runs before the page connects again. Returns the page, and the id with which it wrote. */
  async function restore(whenRestored: (id: string, client: number, clock: number) => Promise<void>) {
    const id = await server.createFlow(source);
    const forger = await openForger(id);
    const rows = await listUpdates(await getDb(), id, 0);
    const ann = await server.open(id);
    await expect.poll(() => statusOf(ann)).toBe("together");
    type(ann, " one");
    await expect.poll(() => forger.text).toContain("Begin one");
    await ann.session.autosave.flush();
    const [client, clock] = [findWriter(forger.doc), Y.getState(forger.doc.store, findWriter(forger.doc))];
    ann.setOnline(false);
    await server.stop();
    await restoreRows(id, rows);
    await server.start();
    const reader = await openForger(id);
    expect(reader.text).toBe(source);
    await whenRestored(id, client, clock);
    ann.setOnline(true);
    await expect.poll(() => statusOf(ann)).toBe("together");
    return { id, ann, reader, client };
  }

  it("a user goes on with the same id", async () => {
    const { id, ann, reader, client } = await restore(async () => undefined);
    await expect.poll(() => reader.text).toContain("Begin one");
    expect(findWriter(reader.doc)).toBe(client);
    await expectShared(id, ann, 'Begin one"');
    expect(textOf(ann)).toBe(source.replace("Begin", "Begin one"));
  });

  it("letters that someone else wrote in the place of those of a user take nothing away", async () => {
    const { id, ann, reader, client } = await restore(async (flow, writer, clock) => {
      const forger = await openForger(flow);
      forger.sendBytes(writeText(writer, 0, clock));
      const other = await openForger(flow);
      await expect.poll(() => other.text).toContain("###");
    });
    await expect.poll(() => textOf(ann)).toContain("###");
    type(ann, " more");
    await expect.poll(() => reader.text).toContain('Begin one more"');
    await expectShared(id, ann, 'Begin one more"');
    expect(findWriter(reader.doc)).not.toBe(client);
  });
});

test("a user with whose ids someone else writes again and again is told, and keeps the text", async () => {
  const { ann, forger, client, clock } = await openBoth();
  const error = vi.spyOn(ann.session.notify, "error");
  const known = new Set([...forger.doc.store.clients.keys()].filter((one) => one !== client));
  forger.doc.on("afterTransaction", ({ beforeState, afterState }: Y.Transaction) => {
    for (const [writer, state] of afterState)
      if (writer < 2 ** 32 && state > (beforeState.get(writer) ?? 0) && !known.has(writer)) {
        known.add(writer);
        forger.sendBytes(encodeRemoved(writer, state, 100_000));
      }
  });
  forger.sendBytes(encodeRemoved(client, clock(), 100_000));
  let letters = "";
  for (let count = 0; error.mock.calls.length === 0 && count < 100; count++) {
    type(ann, "x");
    letters += "x";
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(error).toHaveBeenCalledOnce();
  type(ann, " end");
  expect(textOf(ann)).toContain(`Begin one${letters} end"`);
  expect(toLocalCopy(ann.session)?.current.source).toBe(textOf(ann));
});
