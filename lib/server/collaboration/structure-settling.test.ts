import { createServer } from "node:http";
import { beforeAll, describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { type LiveDocument, openLiveDocument } from "@/app/flows/[id]/_editor/state/live/live-parts";
import { openSession } from "@/app/flows/[id]/_editor/state/testing/open-session";
import type { Edit } from "@/lib/core/flow/edit";
import { readText, seedDocument } from "@/lib/core/live/live-document";
import { hasRivalStructure } from "@/lib/core/settle/settle-structure";
import { readSource } from "@/lib/core/source/read-source";
import { localTeamId, localViewer } from "../auth/viewer";
import { runTask } from "../cpu-worker/run-task";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { getFlow } from "../flows/queries";
import { logger } from "../log/logger";
import { startServices } from "../start";
import { getHead, replaceDocument } from "./document-rows";
import { documentLimits } from "./document-state";
import { LiveFlow } from "./live-flow";
import { Rooms } from "./rooms";
import { StoredDocument } from "./stored-document";
import { TestEditor } from "./testing/test-editor";
import { LiveUpgrades } from "./upgrade";

const source = `name: Looms
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a >> b
`;
const [ann, bob] = [
  { id: "ann", name: "Ann" },
  { id: "bob", name: "Bob" },
];
const add = (name: string): Edit => ({
  type: "add-agent",
  name,
  model: "demo:writer",
  scope: { type: "root" },
  atEnd: true,
});
/** What both people together wrote. The document of the first one has the smaller id. */
const settledLine = "  flow: a >> b >> y >> x\n";

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

const createTestFlow = async (): Promise<string> => (await createFlow(localViewer, { source })).id;
const getSource = async (id: string): Promise<string> => (await getFlow(localViewer, id)).source;
const everything = new Uint8Array([0]);

/** One process with the flow open; `relayed`: what it sent to its editors. */
async function openProcess(flowId: string) {
  const relayed: Uint8Array[] = [];
  const live = await LiveFlow.open(db, {
    flowId,
    teamId: localTeamId,
    onUpdate: (update) => void relayed.push(update),
  });
  const readDocument = (): Y.Doc => {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, live.readSince(everything));
    return doc;
  };
  return { live, relayed, readDocument };
}

type Process = Awaited<ReturnType<typeof openProcess>>;

/** An open page, which sends what it wrote when the test takes it. */
function openEditor(update: Uint8Array, client?: number) {
  const known = new Y.Doc();
  Y.applyUpdate(known, update);
  const session = openSession(readText(known));
  const sent: Uint8Array[] = [];
  const send = (one: Uint8Array): void => void sent.push(one);
  const document: LiveDocument = openLiveDocument(session, {
    lineage: "l",
    update,
    send,
    ...(client !== undefined && { client }),
  });
  session.live.store.setState({ status: "together", self: null, peers: [] });
  document.bind();
  return { session, document, takeSent: () => sent.splice(0), text: () => session.editor.store.getState().text };
}

/** Two people who add an agent each, and leave without knowing of each other. */
function writeRivals(update: Uint8Array): Uint8Array[] {
  const editors = [openEditor(update, 1), openEditor(update, 2)];
  for (const [index, { session }] of editors.entries())
    expect(session.editor.dispatch([add(index === 0 ? "x" : "y")])).toBeNull();
  const sent = editors.flatMap(({ takeSent }) => takeSent());
  for (const { document } of editors) document.close();
  return sent;
}

function sendRivals({ live }: Process): void {
  for (const [index, update] of writeRivals(live.readSince(everything)).entries())
    expect(live.apply(update, index === 0 ? ann : bob, null)).toBe("applied");
}

function expectSettled(text: string): void {
  const { broken, unreadableRanges, flow } = readSource(text);
  expect({ broken, unreadableRanges }, text).toEqual({ broken: false, unreadableRanges: [] });
  expect(text).toContain(settledLine);
  expect([...flow.agents.keys()].toSorted()).toEqual(["a", "b", "x", "y"]);
}

describe("what two people who have left wrote of one scope", () => {
  it("is settled when the flow is closed, stored as a row of the last author, and relayed", async () => {
    const id = await createTestFlow();
    const process = await openProcess(id);
    sendRivals(process);
    expect(process.readDocument().getText("source").toString()).not.toContain(settledLine);
    const { length } = process.relayed;
    await process.live.close();
    expectSettled(await getSource(id));
    expect(process.relayed.length).toBeGreaterThan(length);
    const { revisionId } = await db.flow.findUniqueOrThrow({ where: { id } });
    expect(await db.revision.findUniqueOrThrow({ where: { id: revisionId ?? "" } })).toMatchObject({
      createdBy: "Bob",
    });
    const next = await openProcess(id);
    expect(readText(next.readDocument())).toBe(await getSource(id));
    await next.live.close();
  });

  it("is settled by a save while only a reader has the flow open", async () => {
    const id = await createTestFlow();
    const process = await openProcess(id);
    const reader = new Y.Doc();
    Y.applyUpdate(reader, process.live.readSince(everything));
    sendRivals(process);
    await process.live.save(bob);
    expectSettled(await getSource(id));
    for (const update of process.relayed) Y.applyUpdate(reader, update);
    expect(readText(reader)).toBe(await getSource(id));
    await process.live.close();
  });

  it("is settled by the next start where the process was killed before it saved", async () => {
    const id = await createTestFlow();
    const killed = await StoredDocument.open(db, { flowId: id, onUpdate: () => {}, onReplaced: () => {} });
    for (const update of writeRivals(Y.encodeStateAsUpdate(killed.doc))) killed.apply(update, ann, null);
    await killed.exclusively(() => killed.runStorePending());
    killed.destroy();
    expect(await getSource(id)).toBe(source);
    const rooms = new Rooms(db);
    await rooms.saveUnsaved();
    await rooms.close();
    expectSettled(await getSource(id));
  });

  it("is not changed any more by an editor that joins afterwards", async () => {
    const id = await createTestFlow();
    const process = await openProcess(id);
    sendRivals(process);
    await process.live.close();
    const next = await openProcess(id);
    const editor = openEditor(next.live.readSince(everything));
    expect(editor.takeSent()).toEqual([]);
    expect(editor.text()).toBe(await getSource(id));
    editor.document.close();
    await next.live.close();
  });

  it("is the same as an editor settles at the same time", async () => {
    const id = await createTestFlow();
    const process = await openProcess(id);
    const editor = openEditor(process.live.readSince(everything));
    sendRivals(process);
    editor.document.apply(process.live.readSince(editor.document.readVector()));
    const own = editor.takeSent();
    expect(own.length).toBeGreaterThan(0);
    expect(editor.text()).toContain(settledLine);
    // What the editor sends arrives later.
    await process.live.save(bob);
    const saved = await getSource(id);
    expectSettled(saved);
    for (const update of own) process.live.apply(update, ann, null);
    editor.document.apply(process.live.readSince(editor.document.readVector()));
    for (const update of editor.takeSent()) process.live.apply(update, ann, null);
    expect([editor.text(), readText(process.readDocument())]).toEqual([saved, saved]);
    expect(editor.document.digest()).toBe(process.live.digest);
    editor.document.close();
    await process.live.close();
    expect(await getSource(id)).toBe(saved);
  });

  it("is the same as another server settles at the same time", async () => {
    const id = await createTestFlow();
    const [here, there] = [await openProcess(id), await openProcess(id)];
    sendRivals(here);
    await here.live.refresh();
    await there.live.follow();
    expect(here.live.digest).toBe(there.live.digest);
    await Promise.all([here.live.save(ann), there.live.save(bob)]);
    await Promise.all([here.live.follow(), there.live.follow()]);
    expectSettled(await getSource(id));
    const texts = [here, there].map(({ readDocument }) => readText(readDocument()));
    expect(texts).toEqual([await getSource(id), await getSource(id)]);
    expect(here.live.digest).toBe(there.live.digest);
    expect(hasRivalStructure(here.readDocument())).toBe(false);
    await Promise.all([here.live.close(), there.live.close()]);
  });
});

it("what two people wrote who lost their connections is settled without a request, and whoever is there receives it", async () => {
  const id = await createTestFlow();
  const upgrades = new LiveUpgrades();
  const server = createServer();
  server.on("upgrade", (request, socket, head) => void upgrades.answer(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  const url = `ws://127.0.0.1:${port}/api/v1/flows/${id}/live`;
  // None of them settles anything.
  const [first, second, reader] = [new TestEditor(url), new TestEditor(url), new TestEditor(url)];
  for (const editor of [first, second, reader]) {
    await editor.connect();
    editor.join();
    await expect.poll(() => editor.text).toBe(source);
  }
  const [one = everything, other = everything] = writeRivals(Y.encodeStateAsUpdate(reader.doc));
  first.sendBytes(one);
  second.sendBytes(other);
  await expect.poll(() => reader.text).toMatch(/flow:.*flow:/);
  for (const editor of [first, second]) editor.cut();
  await expect.poll(() => getSource(id)).toContain(settledLine);
  expectSettled(await getSource(id));
  const saved = await getSource(id);
  await expect.poll(() => reader.text).toBe(saved);
  reader.cut();
  await upgrades.close();
  await new Promise((resolve) => server.close(resolve));
});

it("what someone wrote in what someone else deleted, when both have left, is in no saved flow", async () => {
  const id = await createTestFlow();
  const { live, readDocument } = await openProcess(id);
  const editors = [1, 2].map((client) => openEditor(live.readSince(everything), client));
  const edits: Edit[] = [
    { type: "delete-nodes", scope: { type: "root" }, names: ["b"], declarations: true },
    { type: "set-agent-field", name: "b", field: "instructions", value: "Weave." },
  ];
  for (const [index, edit] of edits.entries()) expect(editors[index]?.session.editor.dispatch([edit])).toBeNull();
  for (const update of editors.flatMap(({ takeSent }) => takeSent())) live.apply(update, ann, null);
  for (const { document } of editors) document.close();
  expect(readText(readDocument())).toContain("Weave");
  await live.save(ann);
  const expected = source.replace('  b: { model: "demo:writer" }\n', "").replace("a >> b", "a");
  expect(await getSource(id)).toBe(expected);
  await live.close();
});

it("a deleted agent that someone else put into a group is in no saved flow", async () => {
  const grouped = source.replace("swarm:", "groups:\n  pair: { flow: a }\nswarm:").replace("a >> b", "pair >> b");
  const { id } = await createFlow(localViewer, { source: grouped });
  const { live } = await openProcess(id);
  const editors = [1, 2].map((client) => openEditor(live.readSince(everything), client));
  const edits: Edit[] = [
    { type: "delete-nodes", scope: { type: "root" }, names: ["b"], declarations: true },
    { type: "move-member", name: "b", scope: { type: "group", name: "pair" } },
  ];
  for (const [index, edit] of edits.entries()) expect(editors[index]?.session.editor.dispatch([edit])).toBeNull();
  for (const update of editors.flatMap(({ takeSent }) => takeSent())) live.apply(update, ann, null);
  for (const { document } of editors) document.close();
  await live.save(ann);
  const { flow, broken } = readSource(await getSource(id));
  expect(broken).toBe(false);
  expect([...flow.agents.keys()]).toEqual(["a"]);
  expect(await getSource(id)).toContain("pair: { flow: a }");
  await live.close();
});

/** Closes the flow; `act` happens when another thread has settled its copy for the first time, and before that is known here. */
async function closeMeanwhile({ live }: Process, act: () => Promise<void>): Promise<void> {
  const input = { state: live.readSince(everything), previous: source, client: 900 };
  // The first task opens the threads.
  await runTask("settle-structure", input, { client: "a test", deadlineMs: 60_000 });
  const { swarmloomThreads } = globalThis;
  let isFirst = true;
  globalThis.swarmloomThreads = {
    run: async (task) => {
      if (!swarmloomThreads) throw new Error("No thread is open.");
      const result = await swarmloomThreads.run(task);
      if (isFirst && task.name === "settle-structure") {
        isFirst = false;
        await act();
      }
      return result;
    },
  };
  try {
    await live.close();
  } finally {
    globalThis.swarmloomThreads = swarmloomThreads;
  }
  expect(isFirst).toBe(false);
}

it("what someone else writes of the same scope while it is settled is settled, too, before the flow is saved", async () => {
  const id = await createTestFlow();
  const process = await openProcess(id);
  const third = openEditor(process.live.readSince(everything), 3);
  expect(third.session.editor.dispatch([add("z")])).toBeNull();
  sendRivals(process);
  const reported = vi.spyOn(logger, "error");
  await closeMeanwhile(process, async () => {
    for (const update of third.takeSent()) expect(process.live.apply(update, ann, null)).toBe("applied");
  });
  third.document.close();
  expect(reported).not.toHaveBeenCalled();
  reported.mockRestore();
  const { broken, flow } = readSource(await getSource(id));
  expect(broken).toBe(false);
  expect([...flow.agents.keys()].toSorted()).toEqual(["a", "b", "x", "y", "z"]);
  expect((await getSource(id)).match(/flow:.*/g)).toEqual([expect.stringMatching(/^flow: a >> b( >> [xyz]){3}$/)]);
});

it("a flow that gets another document while this one is settled: this one changes nothing any more", async () => {
  const id = await createTestFlow();
  const process = await openProcess(id);
  sendRivals(process);
  const { length } = process.relayed;
  const reported = vi.spyOn(logger, "error");
  await closeMeanwhile(process, async () => {
    const [row, head] = [await db.flowDocument.findUniqueOrThrow({ where: { flowId: id } }), await getHead(db, id)];
    await replaceDocument(db, row, { head, seed: seedDocument(head), reason: "a test", lastSeq: null });
    await expect(process.live.follow()).rejects.toMatchObject({ code: "unavailable" });
  });
  expect(process.relayed.length).toBe(length);
  expect(reported).not.toHaveBeenCalled();
  reported.mockRestore();
  expect(await getSource(id)).toBe(source);
});

it("people take turns in the threads, however many flows of theirs are settled; long flows leave a thread to others", async () => {
  const { swarmloomThreads } = globalThis;
  const turns: unknown[] = [];
  globalThis.swarmloomThreads = {
    run: (task) => {
      if (task.name === "settle-structure") turns.push([task.client, task.isLong]);
      return swarmloomThreads ? swarmloomThreads.run(task) : Promise.reject(new Error("No thread is open."));
    },
  };
  try {
    for (const text of [source, `# ${"x".repeat(20_000)}\n${source}`]) {
      const process = await openProcess((await createFlow(localViewer, { source: text })).id);
      sendRivals(process);
      await process.live.close();
    }
  } finally {
    globalThis.swarmloomThreads = swarmloomThreads;
  }
  expect(turns).toEqual([
    ["live flows of bob", false],
    ["live flows of bob", true],
  ]);
});

it("what is settled does not exceed the limits of a document", async () => {
  const id = await createTestFlow();
  const process = await openProcess(id);
  sendRivals(process);
  const doc = process.readDocument();
  while (doc.store.clients.size < documentLimits.clients) {
    const vector = Y.encodeStateVector(doc);
    const count = Math.min(100, documentLimits.clients - doc.store.clients.size);
    for (let added = 0; added < count; added++) {
      doc.clientID = 10_000 + doc.store.clients.size;
      doc.getMap("pins").set(String(doc.store.clients.size), 1);
    }
    expect(process.live.apply(Y.encodeStateAsUpdate(doc, vector), ann, null)).toBe("applied");
  }
  const text = readText(process.readDocument());
  const reported = vi.spyOn(logger, "error");
  await process.live.close();
  expect(reported.mock.calls).toEqual([
    [
      expect.objectContaining({ flow: id, err: expect.objectContaining({ code: "too_large" }) }),
      expect.stringContaining("could not be settled"),
    ],
  ]);
  reported.mockRestore();
  expect(await getSource(id)).toBe(text);
});

it("a flow that cannot be settled is saved as it is, with a log entry", async () => {
  const id = await createTestFlow();
  const process = await openProcess(id);
  sendRivals(process);
  const { swarmloomThreads } = globalThis;
  const reported = vi.spyOn(logger, "error");
  globalThis.swarmloomThreads = {
    run: (task) =>
      task.name === "settle-structure" || !swarmloomThreads
        ? Promise.reject(new Error("The thread of this task has ended."))
        : swarmloomThreads.run(task),
  };
  try {
    await process.live.close();
  } finally {
    globalThis.swarmloomThreads = swarmloomThreads;
  }
  expect(await getSource(id)).toBe(readText(process.readDocument()));
  expect(reported.mock.calls).toEqual([
    [expect.objectContaining({ flow: id }), expect.stringContaining("could not be settled")],
  ]);
  reported.mockRestore();
});
