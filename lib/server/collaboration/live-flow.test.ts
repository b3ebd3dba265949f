import { beforeAll, describe, expect, it, test } from "vitest";
import * as Y from "yjs";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import { readLayout, readText, writeLayout, writeText } from "@/lib/core/live/live-document";
import { AppError } from "../app-error";
import { localTeamId, localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow, saveFlow } from "../flows/commands";
import { getFlow } from "../flows/queries";
import { startServices } from "../start";
import { listUnsavedDocuments } from "./document-rows";
import { LiveFlow } from "./live-flow";

const source = 'name: Looms\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n';
const [ann, bob] = [
  { id: "ann", name: "Ann" },
  { id: "bob", name: "Bob" },
];

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

/** One process with the flow open, and the document of one editor that is connected to it. */
async function open(flowId: string) {
  const editor = new Y.Doc();
  const live = await LiveFlow.open(db, {
    flowId,
    teamId: localTeamId,
    onUpdate: (update, origin) => {
      if (origin !== editor) Y.applyUpdate(editor, update, "server");
    },
  });
  Y.applyUpdate(editor, live.readSince(new Uint8Array([0])), "server");
  const send = (author: { id: string; name: string }, write: () => void): void => {
    const vector = Y.encodeStateVector(editor);
    editor.transact(write);
    live.apply(Y.encodeStateAsUpdate(editor, vector), author, editor);
  };
  return {
    live,
    text: () => readText(editor),
    layout: () => readLayout(editor),
    type(author: { id: string; name: string }, next: (text: string) => string): void {
      const text = readText(editor);
      const change = toMinimalChange(text, next(text));
      if (change) send(author, () => writeText(editor, text, [change]));
    },
    pin: (key: string, dx: number): void =>
      send(ann, () => {
        const layout = readLayout(editor);
        writeLayout(editor, layout, { ...layout, pins: { ...layout.pins, [key]: { dx, dy: 0 } } });
      }),
  };
}

const createTestFlow = async (text = source): Promise<string> => (await createFlow(localViewer, { source: text })).id;
const countRows = (flowId: string): Promise<number> => db.flowUpdate.count({ where: { flowId } });

describe("a live flow", () => {
  it("begins with the head revision once, however many processes open it at the same time", async () => {
    const id = await createTestFlow();
    const processes = await Promise.all([open(id), open(id), open(id)]);
    expect(processes.map(({ text }) => text())).toEqual([source, source, source]);
    expect(await countRows(id)).toBe(1);
    expect((await open(id)).text()).toBe(source);
    for (const { live } of processes) await live.close();
  });

  it("is saved as a revision by its last author, and saving it again stores none", async () => {
    const id = await createTestFlow();
    const { live, type } = await open(id);
    type(ann, (text) => `${text}# ann\n`);
    type(bob, (text) => `${text}# bob\n`);
    const revision = await live.save(bob, { summary: "Edited the text" });
    expect(await getFlow(localViewer, id)).toMatchObject({ revision, source: `${source}# ann\n# bob\n` });
    const row = await db.revision.findUniqueOrThrow({ where: { id: revision } });
    expect(row).toMatchObject({ createdById: "bob", createdBy: "Bob", summary: "Edited the text" });
    expect(await live.save(ann)).toBe(revision);
    expect(await db.revision.count({ where: { flowId: id } })).toBe(2);
    const authors = await db.flowUpdate.findMany({ where: { flowId: id }, orderBy: { seq: "asc" } });
    expect(authors.map(({ createdById }) => createdById)).toEqual(["local", "ann", "bob"]);
    await live.close();
  });

  it("is saved by itself when no editor does", async () => {
    const id = await createTestFlow();
    const { live, type } = await open(id);
    type(ann, (text) => `${text}# kept\n`);
    await expect.poll(async () => (await getFlow(localViewer, id)).source, { timeout: 10_000 }).toContain("# kept");
    await live.close();
  });

  it("keeps an empty text out of the revisions until a user agrees", async () => {
    const id = await createTestFlow();
    const { live, type } = await open(id);
    type(ann, () => "");
    await expect(live.save(ann)).rejects.toMatchObject({ code: "bad_request" });
    await live.save(ann, { allowEmpty: true });
    expect((await getFlow(localViewer, id)).source).toBe("");
    await live.close();
  });

  it("refuses what is no update, and a text that is too long", async () => {
    const id = await createTestFlow();
    const { live, type, text } = await open(id);
    expect(() => live.apply(new Uint8Array([9, 9, 9, 200, 200]), ann, null)).toThrow(AppError);
    expect(() => type(ann, (before) => before + "x".repeat(2_000_000))).toThrow("at most 2,000,000 characters");
    expect((await open(id)).text()).toBe(source);
    expect(text()).not.toBe(source);
    await live.close();
  });
});

describe("a process that is killed", () => {
  it("leaves every stored update to the next one, which saves them", async () => {
    const id = await createTestFlow();
    const killed = await open(id);
    killed.type(ann, (text) => `${text}# last words\n`);
    killed.pin("a", 40);
    await expect.poll(() => countRows(id)).toBeGreaterThan(1);
    // It saves nothing any more. What it had stored is found by the next process.
    expect((await getFlow(localViewer, id)).source).toBe(source);
    expect(await listUnsavedDocuments(db)).toContain(id);
    const next = await open(id);
    expect(next.text()).toBe(`${source}# last words\n`);
    await next.live.close();
    expect(await getFlow(localViewer, id)).toMatchObject({
      source: `${source}# last words\n`,
      layout: { pins: { a: { dx: 40, dy: 0 } } },
    });
    expect(await listUnsavedDocuments(db)).not.toContain(id);
    await killed.live.close();
  });
});

describe("what requests save", () => {
  it("flows into an open document as a minimal change, also where that has changed since", async () => {
    const id = await createTestFlow();
    const { live, type, text, layout } = await open(id);
    type(ann, (before) => `${before}# ann\n`);
    const { revision } = await getFlow(localViewer, id);
    const layoutOfRequest = { pins: { a: { dx: 7, dy: 7 } } };
    await saveFlow(localViewer, id, {
      source: source.replace("Looms", "Weaving"),
      layout: layoutOfRequest,
      baseRevision: revision,
    });
    await live.refresh();
    expect(text()).toBe(`${source.replace("Looms", "Weaving")}# ann\n`);
    expect(layout()).toEqual(layoutOfRequest);
    await live.save(ann);
    expect((await getFlow(localViewer, id)).source).toBe(text());
    await live.close();
  });

  it("flows into a document that was closed meanwhile, once, by whichever process opens it", async () => {
    const id = await createTestFlow();
    const first = await open(id);
    first.type(ann, (text) => `${text}# ann\n`);
    await first.live.close();
    const { revision, source: saved } = await getFlow(localViewer, id);
    await saveFlow(localViewer, id, { source: `# new\n${saved}`, baseRevision: revision });
    const processes = await Promise.all([open(id), open(id)]);
    for (const { live } of processes) await live.follow();
    expect(processes.map(({ text }) => text())).toEqual([`# new\n${saved}`, `# new\n${saved}`]);
    for (const { live } of processes) await live.close();
  });

  it("is not repeated where the document has the same change already", async () => {
    const id = await createTestFlow();
    const { live, type, text } = await open(id);
    const { revision } = await getFlow(localViewer, id);
    type(ann, (before) => `${before}# same\n`);
    await saveFlow(localViewer, id, { source: `${source}# same\n`, baseRevision: revision });
    type(ann, (before) => `# other\n${before}`);
    await live.refresh();
    expect(text()).toBe(`# other\n${source}# same\n`);
    await live.close();
  });

  it("conflicts with a newer revision as before", async () => {
    const id = await createTestFlow();
    const { live, type } = await open(id);
    const { revision } = await getFlow(localViewer, id);
    type(ann, (before) => `${before}# newer\n`);
    await live.save(ann);
    const stale = saveFlow(localViewer, id, { source: "name: x\n", baseRevision: revision });
    await expect(stale).rejects.toMatchObject({ code: "conflict" });
    await live.close();
  });
});

test("two processes follow each other by the rows, and save without conflicts", async () => {
  const id = await createTestFlow();
  const [here, there] = await Promise.all([open(id), open(id)]);
  for (let round = 0; round < 10; round++) {
    here.type(ann, (text) => `${text}# here ${round}\n`);
    there.type(bob, (text) => `# there ${round}\n${text}`);
    if (round % 3 === 0) await Promise.all([here.live.save(ann), there.live.save(bob)]);
  }
  // A save stores what is pending first.
  await Promise.all([here.live.save(ann), there.live.save(bob)]);
  await Promise.all([here.live.follow(), there.live.follow()]);
  expect(here.text()).toBe(there.text());
  for (let round = 0; round < 10; round++)
    for (const line of [`# here ${round}\n`, `# there ${round}\n`]) expect(here.text().split(line)).toHaveLength(2);
  await here.live.save(ann);
  expect((await getFlow(localViewer, id)).source).toBe(here.text());
  await Promise.all([here.live.close(), there.live.close()]);
});

test("rows are merged into one, also while another process appends", async () => {
  const id = await createTestFlow();
  const [here, there] = await Promise.all([open(id), open(id)]);
  for (let round = 0; round < 5; round++) {
    here.type(ann, (text) => `${text}# ${round}\n`);
    await here.live.refresh();
  }
  expect(await countRows(id)).toBe(6);
  there.type(bob, (text) => `# there\n${text}`);
  await Promise.all([here.live.mergeRows(), there.live.refresh()]);
  await here.live.follow();
  await here.live.mergeRows();
  expect(await countRows(id)).toBe(1);
  await there.live.follow();
  const again = await open(id);
  expect(again.text()).toBe(here.text());
  expect(there.text()).toBe(here.text());
  expect(here.text()).toContain("# there\n");
  for (const { live } of [here, there, again]) await live.close();
});

test("a flow in the trash opens no document", async () => {
  const id = await createTestFlow();
  await db.flow.update({ where: { id }, data: { deletedAt: new Date() } });
  await expect(open(id)).rejects.toMatchObject({ code: "not_found" });
});
