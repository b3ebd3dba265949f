import { setImmediate as setImmediateCallback } from "node:timers";
import { setImmediate } from "node:timers/promises";
import { beforeAll, describe, expect, it, test, vi } from "vitest";
import * as Y from "yjs";
import { toFingerprint } from "@/lib/core/flow/hash-text";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import { writeCompleteFlow } from "@/lib/core/kinds/testing/repeating-flow.arbitrary";
import { signDocument } from "@/lib/core/live/authors";
import { readLayout, readText, seedDocument, writeLayout, writeText } from "@/lib/core/live/live-document";
import * as versions from "@/lib/core/live/structure-versions";
import { listVersions, noteVersion, toVersionKey } from "@/lib/core/live/structure-versions";
import { findParts, findRanges } from "@/lib/core/live/written-parts";
import { AppError } from "../app-error";
import { localTeamId, localViewer } from "../auth/viewer";
import { tasks } from "../cpu-worker/tasks";
import type { Db } from "../db";
import * as commands from "../flows/commands";
import { createFlow, saveFlow } from "../flows/commands";
import { getPublication } from "../flows/publish";
import { getFlow } from "../flows/queries";
import { listRevisions } from "../flows/revisions";
import { logger } from "../log/logger";
import { getMetrics } from "../metrics/metrics";
import { startServices } from "../start";
import { getHead, includeRevision, listUnsavedDocuments, replaceDocument } from "./document-rows";
import { LiveFlow } from "./live-flow";
import { Rooms } from "./rooms";
import { encodeRawUpdate } from "./testing/raw-update";

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
async function open(flowId: string, database = db) {
  const editor = new Y.Doc();
  const live = await LiveFlow.open(database, {
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

function createGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

const createTestFlow = async (text = source): Promise<string> => (await createFlow(localViewer, { source: text })).id;
const countRows = (flowId: string): Promise<number> => db.flowUpdate.count({ where: { flowId } });

describe("a live flow", () => {
  it("stores what arrives at once in several rows, with turns of the event loop in between", async () => {
    const id = await createTestFlow();
    const { live, type, text } = await open(id);
    const rows = await countRows(id);
    let turns = 0;
    const count = (): void => {
      turns++;
      if (turns < 1_000) setImmediateCallback(count);
    };
    for (let number = 0; number < 1_000; number++) type(ann, (old) => `${old}x`);
    setImmediateCallback(count);
    await live.refresh();
    const portions = (await countRows(id)) - rows;
    expect(portions).toBeGreaterThanOrEqual(4);
    expect(turns).toBeGreaterThanOrEqual(portions - 2);
    expect((await open(id)).text()).toBe(text());
  });

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

describe("a server that starts", () => {
  it("reads what it saves by itself in another thread only, however short: it must not end at each start", async () => {
    const id = await createTestFlow();
    const killed = await open(id);
    vi.spyOn(killed.live, "save").mockRejectedValue(new AppError("bad_request", "killed"));
    killed.type(ann, () => writeCompleteFlow(14));
    await expect.poll(() => listUnsavedDocuments(db)).toContain(id);
    const here = vi.spyOn(tasks, "read-flow");
    const rooms = new Rooms(db);
    await rooms.saveUnsaved();
    expect(here).not.toHaveBeenCalled();
    await rooms.close();
    expect((await getFlow(localViewer, id)).source).toBe(writeCompleteFlow(14));
    expect(await listUnsavedDocuments(db)).not.toContain(id);
    await killed.live.close();
    vi.restoreAllMocks();
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

  it("is refused where it comes after an editor that does not wait for it, and stays where it came before", async () => {
    const id = await createTestFlow();
    const processes = await Promise.all([open(id), open(id)]);
    const [here, there] = processes;
    here?.type(ann, (before) => `${before}# ann\n`);
    const { revision } = await getFlow(localViewer, id);
    await saveFlow(localViewer, id, { source: `# early\n${source}`, baseRevision: revision });
    const { revision: base } = await getFlow(localViewer, id);
    await there?.live.refuseLate(bob);
    for (const baseRevision of [revision, base])
      await expect(saveFlow(localViewer, id, { source: "name: Late\n", baseRevision })).rejects.toMatchObject({
        code: "conflict",
      });
    await here?.live.save(ann);
    for (const { live } of processes) await live.follow();
    const text = `# early\n${source}# ann\n`;
    expect(processes.map((process) => process.text())).toEqual([text, text]);
    expect((await getFlow(localViewer, id)).source).toBe(text);
    for (const { live } of processes) await live.close();
  });

  it("is refused after that also where an unanswered save had the text of the base", async () => {
    const id = await createTestFlow();
    const { live } = await open(id);
    const { revision: baseRevision } = await getFlow(localViewer, id);
    await live.refuseLate(localViewer);
    const late = { source: "name: Late\n", baseRevision, unanswered: toFingerprint(source) };
    await expect(saveFlow(localViewer, id, late)).rejects.toMatchObject({ code: "conflict" });
    expect((await getFlow(localViewer, id)).source).toBe(source);
    await live.close();
  });

  it("is refused by a version that is no change of the user", async () => {
    const id = await createTestFlow();
    const { live } = await open(id);
    const publication = await getPublication(localViewer, id);
    await live.refuseLate(ann);
    expect((await listRevisions(localViewer, id)).revisions.map(({ createdBy }) => createdBy)).toEqual(["Ann", "You"]);
    expect(await db.auditEvent.count({ where: { objectId: id, action: "flow.changed" } })).toBe(0);
    expect((await getPublication(localViewer, id)).authors).toEqual(publication.authors);
    await live.close();
  });

  /** Requests save before each of the first attempts to refuse what is late. */
  async function openBusy(saves: number) {
    const id = await createTestFlow();
    const { live, text } = await open(id);
    let count = 0;
    const store = commands.saveBarrier;
    vi.spyOn(commands, "saveBarrier").mockImplementation(async (...args) => {
      const { revision: baseRevision, source: before } = await getFlow(localViewer, id);
      if (count++ < saves) await saveFlow(localViewer, id, { source: `${before}# ${count}\n`, baseRevision });
      return store(...args);
    });
    return { id, live, text, countAttempts: () => count };
  }

  it("is refused also where other saves come in between", async () => {
    const { id, live, text, countAttempts } = await openBusy(2);
    const before = await getFlow(localViewer, id);
    await live.refuseLate(bob);
    expect(countAttempts()).toBe(3);
    expect(text()).toBe(`${source}# 1\n# 2\n`);
    const late = { source: "name: Late\n", baseRevision: before.revision };
    await expect(saveFlow(localViewer, id, late)).rejects.toMatchObject({ code: "conflict" });
    vi.restoreAllMocks();
    await live.close();
  });

  it("is not refused where other saves always come in between, and that is an error", async () => {
    const { live, countAttempts } = await openBusy(Number.POSITIVE_INFINITY);
    await expect(live.refuseLate(bob)).rejects.toMatchObject({ code: "conflict" });
    expect(countAttempts()).toBe(10);
    vi.restoreAllMocks();
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

describe("a process that lags behind a merge", () => {
  /** Rows that the first process has not read are in one row with a later number. */
  async function openBehind(editor: { id: string; name: string }) {
    const id = await createTestFlow();
    const [behind, ahead] = [await open(id), await open(id)];
    for (let line = 0; line < 5; line++) {
      ahead.type(editor, (text) => `${text}# ${line}\n`);
      await ahead.live.refresh();
    }
    await ahead.live.mergeRows();
    expect(await countRows(id)).toBe(1);
    return { id, behind, ahead };
  }

  it("stores its updates after the merged ones, and the next merge has them", async () => {
    const { id, behind, ahead } = await openBehind(bob);
    behind.type(ann, (text) => `${text}# ann\n`);
    await behind.live.refresh();
    await ahead.live.follow();
    expect(ahead.text()).toContain("# ann");
    await ahead.live.mergeRows();
    const next = await open(id);
    expect(next.text()).toBe(ahead.text());
    expect(behind.text()).toBe(ahead.text());
    for (const { live } of [behind, ahead, next]) await live.close();
  });

  it("includes a revision after the merged ones", async () => {
    const { id, behind, ahead } = await openBehind(bob);
    const { revision } = await getFlow(localViewer, id);
    await saveFlow(localViewer, id, { source: `# new\n${source}`, baseRevision: revision });
    const [row, head] = [await db.flowDocument.findUniqueOrThrow({ where: { flowId: id } }), await getHead(db, id)];
    const change = { seq: 2, update: new Uint8Array([0, 0]), author: ann };
    expect(await includeRevision(db, row, { from: revision, to: head.id }, change)).toBe(false);
    expect((await db.flowDocument.findUniqueOrThrow({ where: { flowId: id } })).revisionId).toBe(revision);
    await behind.live.refresh();
    await ahead.live.follow();
    expect(ahead.text()).toContain("# new");
    await Promise.all([behind.live.close(), ahead.live.close()]);
  });

  it("loses nothing where several append and merge at the same time", async () => {
    const id = await createTestFlow();
    const processes = [await open(id), await open(id), await open(id)];
    for (let line = 0; line < 20; line++) {
      for (const [place, process] of processes.entries()) process.type(ann, (text) => `${text}# ${place}-${line}\n`);
      await Promise.all(processes.map(({ live }, place) => (place === line % 3 ? live.mergeRows() : live.refresh())));
    }
    for (const { live } of processes) await live.refresh();
    for (const { live } of processes) await live.follow();
    const next = await open(id);
    expect(
      next
        .text()
        .split("\n")
        .filter((line) => line.startsWith("# ")),
    ).toHaveLength(60);
    expect(processes.map(({ text }) => text())).toEqual([next.text(), next.text(), next.text()]);
    for (const { live } of [...processes, next]) await live.close();
  });
});

test("edits that arrive while a row is written are stored, each once", async () => {
  const id = await createTestFlow();
  const { live, type, text } = await open(id);
  for (let number = 0; number < 200; number++) {
    type(ann, (before) => `${before}# ${number}\n`);
    // A row is written over several turns, in each of which something may arrive.
    if (number % 10 === 0) await setImmediate();
    else await Promise.resolve();
  }
  await live.refresh();
  const next = await open(id);
  expect(next.text()).toBe(text());
  await Promise.all([live.close(), next.live.close()]);
});

test("an edit that arrives while a save merges rows is in no revision before it is in a row", async () => {
  const id = await createTestFlow();
  const calls: (() => Promise<void>)[] = [];
  let whileHeadIsRead: (() => void) | undefined;
  const gated = new Proxy(db, {
    get(target, key) {
      if (key === "flow") {
        whileHeadIsRead?.();
        whileHeadIsRead = undefined;
      }
      if (key !== "$transaction") return Reflect.get(target, key);
      return async (...parts: unknown[]): Promise<unknown> => {
        const afterwards = calls.shift();
        const result: unknown = await Reflect.apply(target.$transaction, target, parts);
        await afterwards?.();
        return result;
      };
    },
  });
  const { live, type } = await open(id, gated);
  for (let row = 2; row < 200; row++) {
    type(ann, (text) => `${text}# ${row}\n`);
    await live.refresh();
  }
  const [arrived, released] = [createGate(), createGate()];
  // The save itself stores the row with which all are merged, then merges; after that it stores what arrived meanwhile.
  whileHeadIsRead = () => type(ann, (text) => `${text}# 200\n`);
  calls.push(
    async () => {},
    async () => type(ann, (text) => `${text}# late\n`),
    async () => {
      arrived.open();
      await released.opened;
    },
  );
  const saving = live.save(ann);
  await arrived.opened;
  expect(await countRows(id)).toBe(2);
  expect((await getFlow(localViewer, id)).source).not.toContain("# late");
  released.open();
  await saving;
  expect((await getFlow(localViewer, id)).source).toContain("# late");
  await live.close();
});

describe("a document that differs from its rows", () => {
  const findMetric = async (place: string): Promise<number> => {
    const { values } = await getMetrics().liveDivergences.get();
    return values.find(({ labels }) => labels.place === place)?.value ?? 0;
  };

  it("is found by a comparison, counted, and repaired for all", async () => {
    const id = await createTestFlow();
    const [here, there] = await Promise.all([open(id), open(id)]);
    here.type(ann, (text) => `${text}# lost\n`);
    await here.live.refresh();
    here.type(ann, (text) => `${text}# after\n`);
    await here.live.refresh();
    const rows = await db.flowUpdate.findMany({ where: { flowId: id }, orderBy: { seq: "asc" } });
    const [seed, , after] = rows;
    // As a fault leaves it: the second update is in no row.
    await db.flowUpdate.update({
      where: { flowId_seq: { flowId: id, seq: 2 } },
      data: { body: seed?.body ?? "" },
    });
    expect(after?.seq).toBe(3);
    const before = await findMetric("rows");
    const reported = vi.spyOn(logger, "error");
    expect(await here.live.compare()).toBe(false);
    expect(await findMetric("rows")).toBe(before + 1);
    expect(reported).toHaveBeenCalledWith(
      expect.objectContaining({ flow: id }),
      expect.stringContaining("differed from its stored updates"),
    );
    reported.mockRestore();
    expect(await here.live.compare()).toBe(true);
    await there.live.follow();
    const next = await open(id);
    expect([there.text(), next.text()]).toEqual([here.text(), here.text()]);
    expect(here.text()).toBe(`${source}# lost\n# after\n`);
    for (const { live } of [here, there, next]) await live.close();
  });

  it("is opened anew where another process received something else with the same id", async () => {
    const id = await createTestFlow();
    const [here, there] = await Promise.all([open(id), open(id)]);
    const write = (text: string) => encodeRawUpdate({ items: new Map([[77, { clock: 0, items: [{ text }] }]]) });
    here.live.apply(write("# one\n"), ann, null);
    await here.live.refresh();
    there.live.apply(write("# two\n"), bob, null);
    await there.live.refresh();
    expect(there.text()).toBe(`# two\n${source}`);
    expect(await here.live.compare()).toBe(true);
    const reported = vi.spyOn(logger, "error").mockReturnValue(undefined);
    await expect(there.live.compare()).rejects.toMatchObject({ code: "unavailable" });
    expect(reported).toHaveBeenCalledOnce();
    reported.mockRestore();
    const next = await open(id);
    expect(next.text()).toBe(here.text());
    await Promise.all([here, there, next].map(({ live }) => live.close()));
  });

  it("is equal to them otherwise, whatever was typed, deleted and merged", async () => {
    const id = await createTestFlow();
    const [here, there] = await Promise.all([open(id), open(id)]);
    const before = await findMetric("rows");
    for (let round = 0; round < 5; round++) {
      here.type(ann, (text) => `${text}# ${round}\n`);
      there.type(bob, (text) => text.replace(/^.*\n/, ""));
      if (round === 2) await here.live.mergeRows();
      expect([await here.live.compare(), await there.live.compare()]).toEqual([true, true]);
    }
    expect(await findMetric("rows")).toBe(before);
    await Promise.all([here.live.close(), there.live.close()]);
  });
});

describe("a document whose rows have gaps", () => {
  /** Returns the flow, the editor that has everything, and the process that finds the gap. */
  async function openWithGap() {
    const id = await createTestFlow();
    const killed = await open(id);
    killed.type(ann, (text) => `${text}# lost\n`);
    await killed.live.refresh();
    killed.type(ann, (text) => `${text}# after\n`);
    await killed.live.refresh();
    await killed.live.close();
    await db.flowUpdate.deleteMany({ where: { flowId: id } });
    const doc = new Y.Doc();
    const updates: Uint8Array[] = [];
    doc.on("update", (update: Uint8Array) => updates.push(update));
    Y.applyUpdate(doc, seedDocument({ source, layout: { pins: {} } }));
    for (const line of ["# lost\n", "# after\n"]) doc.getText("source").insert(doc.getText("source").length, line);
    const toRow = (seq: number, update: Uint8Array) => ({
      flowId: id,
      seq,
      body: Buffer.from(update).toString("base64"),
      createdAt: new Date(),
      createdById: "ann",
      createdBy: "Ann",
    });
    const [seed = new Uint8Array(), , after = new Uint8Array()] = updates;
    await db.flowUpdate.createMany({ data: [toRow(10, seed), toRow(11, after)] });
    return { id, doc };
  }

  it("is not saved over the head, until an editor sends what they lack", async () => {
    const { id, doc } = await openWithGap();
    const saved = await getFlow(localViewer, id);
    const { live, text } = await open(id);
    await expect(live.save(ann)).rejects.toMatchObject({ code: "unavailable" });
    await live.mergeRows();
    expect(await countRows(id)).toBe(2);
    expect((await getFlow(localViewer, id)).source).toBe(saved.source);
    live.apply(Y.encodeStateAsUpdate(doc, live.vector), ann, null);
    expect(text()).toBe(`${source}# lost\n# after\n`);
    await live.save(ann);
    expect((await getFlow(localViewer, id)).source).toBe(text());
    const next = await open(id);
    expect(next.text()).toBe(text());
    await Promise.all([live.close(), next.live.close()]);
  });

  it("is not saved by the next start either", async () => {
    const { id } = await openWithGap();
    const saved = await getFlow(localViewer, id);
    const { live } = await open(id);
    await live.close();
    expect((await getFlow(localViewer, id)).source).toBe(saved.source);
    expect(await countRows(id)).toBe(2);
  });

  it("begins anew with the head when no editor returns, and its rows are kept", async () => {
    const { id } = await openWithGap();
    const saved = await getFlow(localViewer, id);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const onReplaced = vi.fn();
    const live = await LiveFlow.open(db, { flowId: id, teamId: localTeamId, onUpdate: () => {}, onReplaced });
    await vi.advanceTimersByTimeAsync(31_000);
    vi.useRealTimers();
    await expect.poll(() => onReplaced.mock.calls.length).toBe(1);
    await live.close();
    const next = await open(id);
    expect(next.text()).toBe(saved.source);
    expect(next.live.lineage).not.toBe(live.lineage);
    const archive = await db.flowDocumentArchive.findUniqueOrThrow({ where: { id: live.lineage } });
    expect(JSON.parse(archive.updates)).toMatchObject([{ seq: 10 }, { seq: 11 }]);
    await next.live.close();
  });
});

test("a document that another process replaced stores nothing any more", async () => {
  const id = await createTestFlow();
  const [here, there] = await Promise.all([open(id), open(id)]);
  const [row, head] = [await db.flowDocument.findUniqueOrThrow({ where: { flowId: id } }), await getHead(db, id)];
  await replaceDocument(db, row, { head, seed: seedDocument(head), reason: "a test", lastSeq: null });
  here.type(ann, (text) => `${text}# too late\n`);
  await expect(here.live.save(ann)).rejects.toMatchObject({ code: "unavailable" });
  await expect(there.live.follow()).rejects.toMatchObject({ code: "unavailable" });
  await Promise.all([here.live.close(), there.live.close()]);
  const next = await open(id);
  expect(next.text()).toBe(source);
  expect(await countRows(id)).toBe(1);
  await next.live.close();
});

test("an update that is a change of what the server lacks is asked for again, and waits nowhere", async () => {
  const id = await createTestFlow();
  const { live, text } = await open(id);
  const doc = new Y.Doc();
  Y.applyUpdate(doc, live.readSince(new Uint8Array([0])));
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  for (const line of ["# 1\n", "# 2\n"]) doc.getText("source").insert(doc.getText("source").length, line);
  expect(live.apply(updates[1] ?? new Uint8Array(), ann, null)).toBe("lacking");
  await live.save(ann);
  await live.mergeRows();
  const next = await open(id);
  await expect(next.live.save(ann)).resolves.toBeDefined();
  expect(live.apply(Y.encodeStateAsUpdate(doc, live.vector), ann, null)).toBe("applied");
  expect(text()).toBe(`${source}# 1\n# 2\n`);
  await Promise.all([live.close(), next.live.close()]);
});

describe("what a document may hold", () => {
  function toNested(depth: number): Uint8Array {
    const doc = new Y.Doc();
    doc.transact(() => {
      let map: Y.Map<unknown> = doc.getMap("notes");
      for (let level = 0; level < depth; level++) {
        const inner = new Y.Map<unknown>();
        map.set("n", inner);
        map = inner;
      }
    });
    return Y.encodeStateAsUpdate(doc);
  }

  it.each([
    ["30,000 maps in one another", toNested(30_000)],
    ["a few more than a flow has", toNested(6)],
    [
      "plain values in one another",
      (() => {
        const doc = new Y.Doc();
        let value: unknown = 1;
        for (let level = 0; level < 500; level++) value = [value];
        doc.getMap("pins").set("a", value);
        return Y.encodeStateAsUpdate(doc);
      })(),
    ],
  ])("not %s", async (_, update) => {
    const id = await createTestFlow();
    const { live, type } = await open(id);
    expect(() => live.apply(update, ann, null)).toThrow(expect.objectContaining({ code: "bad_request" }));
    type(ann, (text) => `${text}# goes on\n`);
    await live.save(ann);
    expect((await getFlow(localViewer, id)).source).toContain("# goes on");
    await live.close();
  });

  it("that cannot be read begins anew with the head, and keeps no other document from being saved", async () => {
    const [spoiled, other] = [await createTestFlow(), await createTestFlow()];
    for (const id of [spoiled, other]) {
      const { live, type } = await open(id);
      type(ann, (text) => `${text}# unsaved\n`);
      await expect.poll(() => countRows(id)).toBe(2);
      await expect.poll(() => listUnsavedDocuments(db)).toContain(id);
      await live.close();
      const data = { body: Buffer.from(id === spoiled ? toNested(30_000) : new Uint8Array([0, 0])).toString("base64") };
      await db.flowUpdate.create({
        data: { flowId: id, seq: 90, createdAt: new Date(), createdById: "ann", createdBy: "Ann", ...data },
      });
    }
    const saved = await getFlow(localViewer, spoiled);
    const rooms = new Rooms(db);
    await rooms.saveUnsaved();
    await rooms.close();
    expect(await listUnsavedDocuments(db)).not.toContain(other);
    expect(await listUnsavedDocuments(db)).not.toContain(spoiled);
    expect((await getFlow(localViewer, spoiled)).source).toBe(saved.source);
    const archive = await db.flowDocumentArchive.findFirstOrThrow({ where: { flowId: spoiled } });
    expect(archive.updates.length).toBeGreaterThan(300_000);
    const next = await open(spoiled);
    expect(next.text()).toBe(saved.source);
    await next.live.close();
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

describe("names of authors", () => {
  /** An editor that connects with a document of its own. */
  async function connect() {
    const id = await createTestFlow();
    const { live } = await open(id);
    const doc = new Y.Doc();
    Y.applyUpdate(doc, live.readSince(new Uint8Array([0])));
    const send = (author: { id: string; name: string }): void => {
      live.apply(Y.encodeStateAsUpdate(doc, live.vector), author, null);
      Y.applyUpdate(doc, live.readSince(Y.encodeStateVector(doc)));
    };
    const read = (): unknown => {
      const copy = new Y.Doc();
      Y.applyUpdate(copy, live.readSince(new Uint8Array([0])));
      return copy.getMap("authors").toJSON();
    };
    return { live, doc, send, read };
  }

  it("are those of the users who are signed in", async () => {
    const { live, doc, send, read } = await connect();
    signDocument(doc, ann.name);
    send(ann);
    expect(read()).toEqual({ [doc.clientID]: "Ann" });
    await live.close();
  });

  it.each<[what: string, sign: (doc: Y.Doc) => void]>([
    ["another user's name", (doc) => signDocument(doc, bob.name)],
    ["one's own name for another document", (doc) => void doc.getMap("authors").set("12345", ann.name)],
    ["no name", (doc) => void doc.getMap("authors").set(String(doc.clientID), { name: "Ann" })],
  ])("are not %s", async (_, sign) => {
    const { live, doc, send, read } = await connect();
    sign(doc);
    doc.getText("source").insert(0, "# ann\n");
    send(ann);
    expect(read()).toEqual({});
    expect(doc.getMap("authors").toJSON()).toEqual({});
    await live.save(ann);
    signDocument(doc, ann.name);
    send(ann);
    expect(read()).toEqual({ [doc.clientID]: "Ann" });
    await live.close();
  });

  it("replace no name that is known", async () => {
    const { live, doc, send, read } = await connect();
    signDocument(doc, ann.name);
    send(ann);
    const second = new Y.Doc();
    Y.applyUpdate(second, live.readSince(new Uint8Array([0])));
    second.getMap("authors").set(String(doc.clientID), bob.name);
    live.apply(Y.encodeStateAsUpdate(second, live.vector), bob, null);
    expect(read()).toEqual({ [doc.clientID]: "Ann" });
    await live.close();
  });

  it.each<[what: string, change: (names: Y.Map<unknown>, key: string) => void]>([
    ["replaced under the id of their document", (names, key) => void names.set(key, bob.name)],
    ["deleted", (names, key) => names.delete(key)],
  ])("stay as they are where they are %s", async (_, change) => {
    const { live, doc, send, read } = await connect();
    signDocument(doc, ann.name);
    send(ann);
    const forged = new Y.Doc();
    Y.applyUpdate(forged, live.readSince(new Uint8Array([0])));
    forged.clientID = doc.clientID;
    change(forged.getMap("authors"), String(doc.clientID));
    live.apply(Y.encodeStateAsUpdate(forged, live.vector), bob, null);
    expect(read()).toEqual({ [doc.clientID]: "Ann" });
    await live.close();
  });
});

test("a flow in the trash opens no document", async () => {
  const id = await createTestFlow();
  await db.flow.update({ where: { id }, data: { deletedAt: new Date() } });
  await expect(open(id)).rejects.toMatchObject({ code: "not_found" });
});

/** Two editors that have written two versions of one scope without knowing of each other. */
async function openRivals() {
  const { id } = await createFlow(localViewer, { source });
  const { live } = await open(id);
  const editors = [new Y.Doc(), new Y.Doc()];
  for (const editor of editors) Y.applyUpdate(editor, live.readSince(new Uint8Array([0])));
  const send = (editor: Y.Doc, write: () => void): void => {
    const vector = Y.encodeStateVector(editor);
    editor.transact(write);
    live.apply(Y.encodeStateAsUpdate(editor, vector), ann, editor);
  };
  const end = source.indexOf(" }", source.indexOf("flow: a"));
  for (const [index, editor] of editors.entries()) {
    const change = { from: end - 7, to: end, insert: `flow: a >> ${index === 0 ? "x" : "y"}` };
    send(editor, () => {
      writeText(editor, source, [change]);
      const parts = findParts(editor, { from: change.from, to: change.from + change.insert.length });
      const key = toVersionKey(parts) ?? "";
      noteVersion(editor, { key, parts, scope: "[]", before: "", knows: [], renames: {}, removed: [], by: index });
    });
  }
  return { id, live, editors, send };
}

it("looks for what two editors have not settled once for each change, however many saves wait", async () => {
  const { live } = await openRivals();
  const list = vi.spyOn(versions, "listRivalVersions");
  await Promise.all([live.save(ann), live.save(bob), live.save(ann)]);
  // Before it is settled and after.
  expect(list.mock.calls.length).toBe(2);
  list.mockRestore();
  await live.close();
});

it("saves what two editors wrote of the structure at once only when they have settled it", async () => {
  const { id, live, editors, send } = await openRivals();
  const saved = live.save(ann);
  // Whatever else is asked of the document is not held up.
  await live.refresh();
  expect((await getFlow(localViewer, id)).source).toBe(source);
  const [first] = editors;
  if (!first) throw new Error("An editor is expected.");
  Y.applyUpdate(first, live.readSince(Y.encodeStateVector(first)));
  const [winner, loser] = listVersions(first).toSorted((a, b) => a.by - b.by);
  if (!winner || !loser) throw new Error("Two versions are expected.");
  const [lost] = findRanges(first, loser.parts);
  send(first, () => {
    if (lost) first.getText("source").delete(lost.from, lost.to - lost.from);
    noteVersion(first, { ...winner, knows: [loser.key] });
  });
  await saved;
  expect((await getFlow(localViewer, id)).source).toBe(source.replace("flow: a }", "flow: a >> x }"));
  await live.close();
});
