import fc from "fast-check";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { toDigest } from "@/lib/core/live/document-digest";
import { readText, seedDocument } from "@/lib/core/live/live-document";
import { rehearseUpdate } from "../cpu-worker/rehearse-update";
import { encodeReceived } from "./document-state";
import { assertAcceptable, maxStepsAtOnce } from "./update-limits";

const edit = fc.record({
  type: fc.constantFrom("text", "text", "text", "replace-all", "pin", "note", "undo"),
  place: fc.nat(),
  removed: fc.nat(8),
  text: fc.constantFrom("", "x", "word", "a longer sentence "),
});
/** A period in which an editor is online, and sends each change, or offline. */
const period = fc.record({
  editor: fc.nat(2),
  isOnline: fc.boolean(),
  edits: fc.array(edit, { maxLength: 60, size: "max" }),
});
type Edit = Parameters<Parameters<typeof edit.map>[0]>[0];

function change(doc: Y.Doc, undo: Y.UndoManager, { type, place, removed, text }: Edit): void {
  const source = doc.getText("source");
  if (type === "undo") undo.undo();
  else if (type === "pin") doc.getMap("pins").set(`p${place % 5}`, { dx: removed, dy: 0 });
  else if (type === "note") doc.getMap("notes").set(`n${place % 3}`, new Y.Map([["text", new Y.Text(text)]]));
  else
    doc.transact(() => {
      const places = type === "text" ? [place % (source.length + 1)] : findAll(source.toString(), "o");
      for (const from of places.toReversed()) {
        source.delete(from, Math.min(removed, source.length - from));
        source.insert(from, text);
      }
    });
}

const findAll = (text: string, letter: string): number[] =>
  [...text].flatMap((one, nth) => (one === letter ? [nth] : []));

/** As the server takes an update: at once, or after a rehearsal. */
function receive(server: Y.Doc, update: Uint8Array): void {
  const { steps } = assertAcceptable(server, update, 0);
  if (steps > maxStepsAtOnce) {
    const rehearsal = rehearseUpdate({ state: encodeReceived(server), update, maxSteps: 100_000 });
    expect(rehearsal).toMatchObject({ steps: expect.toSatisfy(Number.isFinite), isWaiting: false });
  }
  Y.applyUpdate(server, update, "editor");
}

test("people who edit together, also after they were offline, are never refused, and all get the same document", () => {
  fc.assert(
    fc.property(fc.array(period, { maxLength: 12 }), (periods) => {
      const seed = seedDocument({ source: "one word and another, over and over\n", layout: { pins: {} } });
      const [server, plain, ...editors] = Array.from({ length: 5 }, () => new Y.Doc());
      if (!server || !plain) throw new Error("expected documents");
      for (const doc of [server, plain, ...editors]) Y.applyUpdate(doc, seed);
      const undos = editors.map((doc) => new Y.UndoManager(doc.getText("source"), { captureTimeout: 0 }));
      const meet = (doc: Y.Doc): void => {
        const update = Y.encodeStateAsUpdate(doc, Y.encodeStateVector(server));
        receive(server, update);
        Y.applyUpdate(plain, update);
        Y.applyUpdate(doc, Y.encodeStateAsUpdate(server, Y.encodeStateVector(doc)));
      };
      for (const { editor, isOnline, edits } of periods) {
        const [doc, undo] = [editors[editor], undos[editor]];
        if (!doc || !undo) continue;
        if (isOnline) meet(doc);
        for (const one of edits) {
          change(doc, undo, one);
          if (isOnline) meet(doc);
        }
      }
      for (const doc of [...editors, ...editors]) meet(doc);
      const contents = [server, plain, ...editors].map((doc) => [readText(doc), toDigest(doc)]);
      expect(new Set(contents.map(String)).size).toBe(1);
    }),
    { numRuns: 40 },
  );
});
