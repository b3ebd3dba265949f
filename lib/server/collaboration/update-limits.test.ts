import { beforeAll, describe, expect, it, test } from "vitest";
import * as Y from "yjs";
import { limits } from "@/lib/core/flow/flow";
import { readText, seedDocument } from "@/lib/core/live/live-document";
import type { MapOfNotes } from "@/lib/core/live/noted-letters";
import { localTeamId, localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { getFlow } from "../flows/queries";
import { startServices } from "../start";
import { countClients, countEntries, countItems, documentLimits, isOvergrown, maxAddedClients } from "./document-state";
import { LiveFlow } from "./live-flow";
import { encodeRawUpdate, encodeRemoved } from "./testing/raw-update";
import { assertAcceptable, assertCountable } from "./update-limits";

const ann = { id: "ann", name: "Ann" };

/** A document with a text, which the server and an editor have. */
function openBoth(text = "a") {
  const [server, editor] = [new Y.Doc(), new Y.Doc()];
  const seed = seedDocument({ source: text, layout: { pins: {} } });
  for (const doc of [server, editor]) Y.applyUpdate(doc, seed);
  return {
    server,
    editor,
    write(change: (doc: Y.Doc) => void): Uint8Array {
      const vector = Y.encodeStateVector(editor);
      editor.transact(() => change(editor));
      return Y.encodeStateAsUpdate(editor, vector);
    },
  };
}

const refusal = (code: string) => expect.objectContaining({ code });

describe("the text of a flow", () => {
  const nearlyFull = "x".repeat(limits.sourceLength - 2);
  const edit = (from: number, removed: number, insert: string) => (doc: Y.Doc) => {
    const text = doc.getText("source");
    text.delete(from, removed);
    text.insert(from, insert);
  };

  it.each([
    ["fills it", edit(5, 0, "yy"), true],
    ["is longer", edit(5, 0, "yyy"), false],
    ["replaces as much as it adds", edit(5, 1_000, "y".repeat(1_000)), true],
    ["replaces everything", edit(0, nearlyFull.length, "y".repeat(limits.sourceLength)), true],
    ["replaces less than it adds", edit(5, 10, "y".repeat(20)), false],
  ])("may have a change that %s: %#", (_, change, isAccepted) => {
    const { server, write } = openBoth(nearlyFull);
    const check = () => assertAcceptable(server, write(change), 0);
    if (isAccepted) expect(check).not.toThrow();
    else expect(check).toThrow(refusal("too_large"));
  });

  it("does not count the texts of notes, nor what the server has already", () => {
    const { server, editor, write } = openBoth(nearlyFull);
    const note = write((doc) => doc.getMap("notes").set("n", new Y.Map([["text", new Y.Text("y".repeat(100))]])));
    expect(() => assertAcceptable(server, note, 0)).not.toThrow();
    const [first] = [write(edit(0, 0, "yy"))];
    Y.applyUpdate(server, note);
    Y.applyUpdate(server, first);
    expect(() => assertAcceptable(server, Y.encodeStateAsUpdate(editor), 0)).not.toThrow();
  });

  it("may become shorter where it is too long", () => {
    const { server, write } = openBoth("x".repeat(limits.sourceLength + 100));
    expect(() => assertAcceptable(server, write(edit(0, 10, "yyy")), 0)).not.toThrow();
  });
});

describe("types in types", () => {
  const nest = (map: Y.Map<unknown>, depth: number): void => {
    const inner = new Y.Map<unknown>();
    map.set("n", inner);
    if (depth > 1) nest(inner, depth - 1);
  };

  it("are as deep as a flow's, in one update and in many", () => {
    const { server, editor, write } = openBoth();
    const inOne = write((doc) => nest(doc.getMap("notes"), 4));
    expect(() => assertAcceptable(server, inOne, 0)).not.toThrow();
    expect(() =>
      assertAcceptable(
        new Y.Doc(),
        openBoth().write((doc) => nest(doc.getMap("notes"), 5)),
        0,
      ),
    ).toThrow(refusal("bad_request"));
    Y.applyUpdate(server, inOne);
    let innermost = editor.getMap("notes");
    for (let depth = 0; depth < 4; depth++) {
      const inner = innermost.get("n");
      if (inner instanceof Y.Map) innermost = inner;
    }
    expect(() =>
      assertAcceptable(
        server,
        write(() => nest(innermost, 1)),
        0,
      ),
    ).toThrow(refusal("bad_request"));
  });

  it("that take the place of one another are beside each other", () => {
    const { server, write } = openBoth();
    const replaced = write((doc) => {
      for (let count = 0; count < 50; count++) doc.getMap("notes").set("n", new Y.Map());
    });
    expect(() => assertAcceptable(server, replaced, 0)).not.toThrow();
  });
});

describe("what no editor writes", () => {
  const neighbour = (item: { origin?: [number, number]; rightOrigin?: [number, number] }): Uint8Array =>
    encodeRawUpdate({ items: new Map([[9, { clock: 0, items: [{ text: "x" }, { text: "y", ...item }] }]]) });
  const format = openBoth().write((doc) => doc.getText("source").format(0, 1, { bold: true }));

  it.each([
    ["a format", format],
    ["an item after itself", neighbour({ origin: [9, 1] })],
    ["an item before a later one", neighbour({ rightOrigin: [9, 2] })],
  ])("is refused: %s", (_, update) => {
    expect(() => assertAcceptable(openBoth().server, update, 0)).toThrow(refusal("bad_request"));
  });
});

/** One letter of each client, which is inserted after the letter of the client before. */
const encodeClients = (count: number, first: number): Uint8Array => {
  const letters = Array.from({ length: count }, (_, nth) => {
    const origin = nth > 0 && { origin: [first + nth - 1, 0] as const };
    return [first + nth, { clock: 0, items: [{ text: "x", ...origin }] }] as const;
  });
  return encodeRawUpdate({ items: new Map(letters) });
};

describe("a plain value", () => {
  const version = (parts: number, text = "") => ({
    before: text,
    parts: Array.from({ length: parts }, (_, clock) => ({ start: { client: 7, clock }, end: { client: 7, clock } })),
  });
  it.each([
    ["has a few hundred parts", version(200, "x".repeat(50_000)), true],
    ["has thousands of parts", version(2_000), false],
    ["has a long text", version(0, "x".repeat(600_000)), false],
  ])("that %s: %#", (_, value, isAccepted) => {
    const { server, write } = openBoth();
    const update = write((doc) => doc.getMap("structures").set("0-1", value));
    const check = () => assertAcceptable(server, update, 0);
    if (isAccepted) expect(check).not.toThrow();
    else expect(check).toThrow(refusal("too_large"));
  });
});

describe("the parts of a document", () => {
  it("are bounded: keys", () => {
    const { server, editor, write } = openBoth();
    const pin = (count: number, from = 0) =>
      write((doc) => {
        for (let index = from; index < from + count; index++) doc.getMap("pins").set(`p${index}`, { dx: index, dy: 0 });
      });
    const many = pin(20_000);
    expect(() => assertAcceptable(server, many, 0)).not.toThrow();
    Y.applyUpdate(server, many);
    expect(() => assertAcceptable(server, pin(1, 20_000), 0)).toThrow(refusal("too_large"));
    const vector = Y.encodeStateVector(editor);
    editor.getMap("pins").set("p5", { dx: 1, dy: 1 });
    expect(() => assertAcceptable(server, Y.encodeStateAsUpdate(editor, vector), 0)).not.toThrow();
  });

  describe.each(["notes", "structures", "members", "names", "deleted", "kept", "restored"])(
    "are bounded: entries of %s",
    (name) => {
      const set = (doc: Y.Doc, from: number, count: number): void => {
        for (let index = from; index < from + count; index++) doc.getMap(name).set(`0-${index}`, { index });
      };
      const remove = (doc: Y.Doc, from: number, count: number): void => {
        for (let index = from; index < from + count; index++) doc.getMap(name).delete(`0-${index}`);
      };

      it("in one update", () => {
        const { server, write } = openBoth();
        const many = write((doc) => set(doc, 0, documentLimits.entries + 1));
        expect(() => assertAcceptable(server, many, 0)).toThrow(refusal("too_large"));
      });

      it("in many, of which those that remove as many as they add are accepted", () => {
        const { server, write } = openBoth();
        const accept = (change: (doc: Y.Doc) => void): void => {
          const update = write(change);
          expect(() => assertAcceptable(server, update, 0)).not.toThrow();
          Y.applyUpdate(server, update);
        };
        accept((doc) => set(doc, 0, documentLimits.entries));
        accept((doc) => set(doc, 0, 600));
        accept((doc) => {
          set(doc, 5_000, 300);
          remove(doc, 0, 300);
        });
        accept((doc) => remove(doc, 300, 300));
        accept((doc) => set(doc, 0, 300));
        expect(countEntries(server, name)).toBe(documentLimits.entries);
        const more = write((doc) => {
          set(doc, 7_000, 1);
          set(doc, 0, 100);
        });
        expect(() => assertAcceptable(server, more, 0)).toThrow(refusal("too_large"));
      });

      it("that were deleted and are set again", () => {
        const { server, write } = openBoth();
        for (const part of [0, 1]) {
          Y.applyUpdate(
            server,
            write((doc) => set(doc, part * 600, 600)),
          );
          Y.applyUpdate(
            server,
            write((doc) => remove(doc, part * 600, 600)),
          );
        }
        const again = write((doc) => set(doc, 0, 1_200));
        expect(() => assertAcceptable(server, again, 0)).toThrow(refusal("too_large"));
      });

      it("before which a document begins anew", () => {
        const { server, write } = openBoth();
        Y.applyUpdate(
          server,
          write((doc) => set(doc, 0, documentLimits.entries - 100)),
        );
        expect(isOvergrown(server)).toBe(true);
      });
    },
  );

  it("are bounded: insertions", () => {
    const { server, write } = openBoth("x".repeat(50_000));
    const scatter = (count: number) =>
      write((doc) => {
        for (let index = 0; index < count; index++) doc.getText("source").insert((index * 2) % 40_000, "y");
      });
    const many = scatter(19_000);
    expect(() => assertAcceptable(server, many, 0)).not.toThrow();
    Y.applyUpdate(server, many);
    expect(() => assertAcceptable(server, scatter(10_000), 0)).toThrow(refusal("too_large"));
  });

  it("are bounded: clients of one update", () => {
    const { server } = openBoth();
    expect(() => assertAcceptable(server, encodeClients(maxAddedClients, 100), 0)).not.toThrow();
    expect(() => assertAcceptable(server, encodeClients(maxAddedClients + 1, 100), 0)).toThrow(refusal("too_large"));
  });

  it("are bounded: clients of a document, of which those that it has may go on", () => {
    const { server, write } = openBoth();
    const first = write((doc) => doc.getText("source").insert(0, "a"));
    Y.applyUpdate(server, first);
    Y.applyUpdate(server, encodeClients(documentLimits.clients - countClients(server), 100));
    expect(() => assertAcceptable(server, encodeClients(1, 90), 0)).toThrow(refusal("too_large"));
    const next = write((doc) => doc.getText("source").insert(0, "b"));
    expect(() => assertAcceptable(server, next, 0)).not.toThrow();
  });

  it("are counted in another thread where an update is long", async () => {
    const doc = new Y.Doc();
    doc.transact(() => {
      for (let index = 0; index < 41_000; index++) doc.getMap("pins").set(`p${index}`, index);
    });
    await expect(assertCountable(Y.encodeStateAsUpdate(doc), "ann")).rejects.toThrow(refusal("too_large"));
    await expect(assertCountable(new Uint8Array(200_000).fill(255), "ann")).rejects.toThrow(refusal("bad_request"));
    await expect(
      assertCountable(
        openBoth("y".repeat(500_000)).write(() => undefined),
        "ann",
      ),
    ).resolves.toBeUndefined();
    const long = openBoth().write((one) => one.getText("source").insert(0, "y".repeat(500_000)));
    await expect(assertCountable(long, "ann")).resolves.toBeUndefined();
  });
});

describe("a document near its limits", () => {
  const begin = (cards = 0): Y.Doc => {
    const doc = new Y.Doc();
    const pins = Object.fromEntries(Array.from({ length: cards }, (_, index) => [`a${index}`, { dx: index, dy: 0 }]));
    Y.applyUpdate(doc, seedDocument({ source: "name: Looms\n", layout: { pins } }));
    return doc;
  };
  const grow = (doc: Y.Doc, map: string, count: number): Y.Doc => {
    doc.transact(() => {
      for (let index = 0; index < count; index++) doc.getMap(map).set(`0-${index}`, "x");
    });
    return doc;
  };

  test.each(["authors", "deleted", "pins"])("begins anew where the keys of %s are of the past", (map) => {
    const doc = grow(begin(), map, 16_000);
    doc.transact(() => doc.getMap("pins").clear());
    expect(isOvergrown(doc)).toBe(true);
  });

  test("begins anew before it takes no more insertions, whatever they are", () => {
    const doc = grow(begin(), "authors", 10_500);
    const text = doc.getText("source");
    const count = documentLimits.items - countItems(doc) - 1;
    doc.transact(() => {
      for (let index = 0; index < count; index++) text.insert(0, "y");
    });
    expect(isOvergrown(doc)).toBe(true);
  });

  test("begins anew before it takes no more clients", () => {
    const doc = begin();
    Y.applyUpdate(doc, encodeClients(documentLimits.clients / 2, 100));
    expect(isOvergrown(doc)).toBe(true);
  });

  test("stays where most of it is what the flow has now", () => {
    expect(isOvergrown(begin(19_000))).toBe(false);
  });
});

describe("a document that was changed very often", () => {
  let db: Db;
  beforeAll(async () => {
    db = await startServices();
  });

  const createTestFlow = async (): Promise<string> => {
    const source = `name: Looms\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n# ${"x".repeat(34_000)}\n`;
    return (await createFlow(localViewer, { source })).id;
  };

  async function openChanged(flowId: string): Promise<LiveFlow> {
    const live = await LiveFlow.open(db, { flowId, teamId: localTeamId, onUpdate: () => undefined });
    const editor = new Y.Doc();
    Y.applyUpdate(editor, live.readSince(new Uint8Array([0])));
    const vector = Y.encodeStateVector(editor);
    const text = editor.getText("source");
    const start = text.toString().indexOf("# x") + 3;
    editor.transact(() => {
      for (let index = 0; index < 15_500; index++) text.insert(start + index * 2, "y");
    });
    live.apply(Y.encodeStateAsUpdate(editor, vector), ann, editor);
    return live;
  }

  const openAgain = (flowId: string) => LiveFlow.open(db, { flowId, teamId: localTeamId, onUpdate: () => undefined });
  const readDocument = (live: LiveFlow): Y.Doc => {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, live.readSince(new Uint8Array([0])));
    return doc;
  };

  test("begins anew when it is opened again, with the same text, and keeps no old rows", async () => {
    const id = await createTestFlow();
    const live = await openChanged(id);
    const text = readText(readDocument(live));
    await live.save(ann);
    await live.close();
    const next = await openAgain(id);
    const doc = readDocument(next);
    expect(readText(doc)).toBe(text);
    expect(next.lineage).not.toBe(live.lineage);
    expect(countItems(doc)).toBe(1);
    expect((await getFlow(localViewer, id)).source).toBe(text);
    expect(await db.flowDocumentArchive.count({ where: { flowId: id } })).toBe(0);
    await next.close();
    const third = await openAgain(id);
    expect(third.lineage).toBe(next.lineage);
    await third.close();
  });

  test("does not begin anew while changes are in no revision", async () => {
    const id = await createTestFlow();
    const live = await openChanged(id);
    const text = readText(readDocument(live));
    await live.refresh();
    const other = await openAgain(id);
    expect(other.lineage).toBe(live.lineage);
    expect(readText(readDocument(other))).toBe(text);
    await Promise.all([live.close(), other.close()]);
  });
});

it("keys of maps are not longer than any that an editor writes", () => {
  const { server, editor, write } = openBoth();
  const set = (length: number) => (doc: Y.Doc) =>
    doc.getMap("structures").set("1:1 ".repeat(1_000).slice(0, 3_996) + "1:".padEnd(length - 3_996, "1"), {});
  expect(() => assertAcceptable(server, write(set(4_000)), 0)).not.toThrow();
  const tooLong = write(set(4_001));
  expect(() => assertAcceptable(server, tooLong, 0)).toThrow(refusal("too_large"));
  // A document of earlier has it already.
  Y.applyUpdate(server, Y.encodeStateAsUpdate(editor));
  expect(() => assertAcceptable(server, tooLong, 0)).not.toThrow();
});

describe("notes of letters", () => {
  const version = { scope: "[]", before: "", knows: [], renames: {}, removed: [], by: 1, parts: [] };
  const at = (client: number, clock: number) => ({ client, clock });
  const own = (doc: Y.Doc, ahead = 0) => at(doc.clientID, Y.getState(doc.store, doc.clientID) + ahead);
  const key = ({ client, clock }: { client: number; clock: number }): string => `${client}:${clock}`;
  const later = at(7, 1_000);

  it.each<[string, MapOfNotes, (doc: Y.Doc) => [key: string, note: object]]>([
    ["a key", "structures", () => [key(later), version]],
    ["the key of a name", "names", () => [key(later), { name: "a", written: "a", by: 1 }]],
    ["a part", "structures", (doc) => ["0-1", { ...version, parts: [{ start: own(doc, -1), end: own(doc, 10) }] }]],
    ["what is known", "structures", () => ["0-1", { ...version, knows: [key(later)] }]],
    ["a meaning", "structures", () => ["0-1", { ...version, refs: { a: key(later) } }]],
    [
      "an earlier name",
      "names",
      () => ["0-1", { name: "a", written: "a", by: 1, was: { name: "b", key: key(later) } }],
    ],
    ["a replaced name", "names", () => ["0-1", { name: "a", written: "a", by: 1, replaces: key(later) }]],
    ["the end of an entry", "deleted", (doc) => [key(own(doc, -1)), { end: later, last: later, title: "", known: {} }]],
    ["letters of an entry", "deleted", (doc) => [key(own(doc, -1)), deletedAt(own(doc, -1), { 7: 1_000 })]],
    [
      "each letter of an entry",
      "deleted",
      (doc) => [key(own(doc, -1)), { ...deletedAt(own(doc, -1), {}), parts: [{ start: later, end: later }] }],
    ],
    ["restored letters", "restored", () => ["0-1", { parts: [{ start: later, end: later }] }]],
    ["kept letters", "kept", () => ["0-1", { start: later, end: later }]],
  ])("that no one has written yet are asked for: %s", (kind, name, make) => {
    const { server, write } = openBoth();
    const update = write((doc) => {
      doc.getText("source").insert(0, "letters");
      doc.getMap(name).set(...make(doc));
    });
    expect(assertAcceptable(server, update, 0).isAhead).toBe(true);
    const text = new Y.Doc();
    text.clientID = 7;
    text.getText("source").insert(0, "x".repeat(2_000));
    Y.applyUpdate(server, Y.encodeStateAsUpdate(text));
    // Of the document's own letters the update has all that there will be.
    expect(assertAcceptable(server, update, 0).isAhead).toBe(kind === "a part");
  });

  it("are asked for where the update has them after a gap", () => {
    const { server } = openBoth();
    const letters = new Y.Doc();
    letters.clientID = 7;
    const vectors = [0, 1].map(() => {
      letters.getText("source").insert(0, "letters");
      return Y.encodeStateVector(letters);
    });
    const afterGap = new Y.Doc();
    afterGap.getMap("names").set("7:10", { name: "a", written: "a", by: 1 });
    const late = Y.diffUpdate(Y.encodeStateAsUpdate(letters), vectors[0] ?? new Uint8Array([0]));
    const update = Y.mergeUpdates([Y.encodeStateAsUpdate(afterGap), late]);
    expect(assertAcceptable(server, update, 0).isAhead).toBe(true);
    Y.applyUpdate(server, Y.encodeStateAsUpdate(letters));
    expect(assertAcceptable(server, update, 0).isAhead).toBe(false);
  });

  const deletedAt = (id: object, known: object) => ({ end: id, last: id, title: "", known });

  it("are accepted with what they name, also in the place of others", () => {
    const { server, editor, write } = openBoth();
    const note = (doc: Y.Doc) => {
      const start = own(doc);
      doc.getText("source").insert(0, "letters");
      doc.getMap("structures").set("0-1", { ...version, parts: [{ start, end: own(doc, -1) }], knows: [key(start)] });
    };
    const first = write(note);
    expect(assertAcceptable(server, first, 0).isAhead).toBe(false);
    const second = write(note);
    // The server has not received the first one.
    expect(assertAcceptable(server, second, 0).isAhead).toBe(false);
    expect(assertAcceptable(server, Y.encodeStateAsUpdate(editor), 0).isAhead).toBe(false);
    Y.applyUpdate(server, first);
    const third = write((doc) => doc.getMap("structures").set("0-1", { ...version, knows: [key(later)] }));
    Y.applyUpdate(server, second);
    expect(assertAcceptable(server, third, 0).isAhead).toBe(true);
  });
});

describe("what no editor writes is refused", () => {
  // Of these a document has any number at one clock, and Yjs throws where it reads them.
  it.each([
    ["a removed insertion", encodeRemoved(77, 0, 0)],
    ["a text", encodeRawUpdate({ items: new Map([[77, { clock: 0, items: [{ text: "" }] }]]) })],
    ["many texts", encodeRawUpdate({ items: new Map([[77, { clock: 0, items: Array(5_000).fill({ text: "" }) }]]) })],
  ])("%s without letters", (_, update) => {
    const { server } = openBoth();
    expect(() => assertAcceptable(server, update, 0)).toThrow(refusal("bad_request"));
  });

  const note = { name: "a", written: "a", by: 1 };
  it.each<[string, (doc: Y.Doc) => unknown]>([
    ["a value in the text", (doc) => doc.getText("source").insertEmbed(0, { a: 1 })],
    ["a type in the text", (doc) => doc.getText("source").insertEmbed(0, new Y.Map())],
    ["bytes in the text", (doc) => doc.getText("source").insertEmbed(0, new Uint8Array([1]))],
    ["a type as a note", (doc) => doc.getMap("names").set("5:1", new Y.Map())],
    ["bytes as a note", (doc) => doc.getMap("members").set("5:1", new Uint8Array([1]))],
    ["a key that is no id", (doc) => doc.getMap("names").set("long", note)],
    ["a key with spaces", (doc) => doc.getMap("names").set(`5:1${" ".repeat(3_000)}`, note)],
    ["a negative clock", (doc) => doc.getMap("deleted").set("5:-1", note)],
    ["a long list in a note", (doc) => doc.getMap("structures").set("5:1", { knows: Array(3_000).fill("") })],
    ["many fields of a note", (doc) => doc.getMap("names").set("5:1", Object.fromEntries(listFields(1_500)))],
    ["a long text in a note", (doc) => doc.getMap("members").set("5:1", { members: "x".repeat(100_001) })],
    ["a number without a next one", (doc) => doc.getMap("deleted").set("5:1", { ...note, number: 1e300 })],
    ["a number far ahead", (doc) => doc.getMap("structures").set("5:1", { ...note, number: 100_008 })],
    ["a number that is none", (doc) => doc.getMap("kept").set("5:1", { ...note, number: "1" })],
    ["a negative number", (doc) => doc.getMap("kept").set("5:1", { ...note, number: -1 })],
    ["half a number", (doc) => doc.getMap("kept").set("5:1", { ...note, number: 1.5 })],
    ["a text as a note", (doc) => doc.getMap("names").set("5:1", "x")],
  ])("%s", (_, change) => {
    const { server, write } = openBoth();
    server.getMap("structures").set("1:1", { number: 7 });
    const update = write(change);
    expect(() => assertAcceptable(server, update, 0)).toThrow(refusal("bad_request"));
  });

  it.each([
    ["with the next number", { number: 8 }],
    ["of someone who was offline for long", { number: 5_000 }],
    ["of an earlier release", {}],
    ["with all that an editor writes", { number: 8, knows: Array(2_900).fill("1:1"), before: "x".repeat(50_000) }],
  ])("and a note %s is accepted", (_, more) => {
    const { server, write } = openBoth();
    server.getMap("structures").set("1:1", { number: 7 });
    const update = write((doc) => doc.getMap("structures").set("0-1", { ...note, ...more }));
    expect(() => assertAcceptable(server, update, 0)).not.toThrow();
  });
});

const listFields = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, index) => [`f${index}`, ""]);
