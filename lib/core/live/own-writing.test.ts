import fc from "fast-check";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { toContentDigest, toDigest } from "./document-digest";
import { OwnWriting } from "./own-writing";

interface Editor {
  doc: Y.Doc;
  own: OwnWriting;
  /** What has not arrived at the server yet; null: it is offline. */
  sent: Uint8Array[] | null;
}

const edit = fc.record({
  editor: fc.nat(1),
  action: fc.constantFrom("type", "type", "type", "delete", "pin", "leave", "lose", "return", "arrive", "save"),
  place: fc.nat(),
});

function openEditor(state: Uint8Array): Editor {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, state, "server");
  const editor: Editor = { doc, own: new OwnWriting(doc), sent: [] };
  doc.on("update", (update: Uint8Array, origin: unknown) => {
    if (origin === "server" || !editor.sent) return;
    editor.own.markSent();
    editor.sent.push(update);
  });
  return editor;
}

/** As an editor joins: nothing is forged. */
function join(server: Y.Doc, editor: Editor): void {
  const [vector, update] = [Y.encodeStateVector(server), Y.encodeStateAsUpdate(server, editor.own.readVector())];
  expect(editor.own.isForged(update, vector)).toBe(false);
  Y.applyUpdate(editor.doc, update, "server");
  editor.own.confirm(vector);
  editor.own.markSent();
  editor.sent = [Y.encodeStateAsUpdate(editor.doc, vector)];
}

function arrive(server: Y.Doc, editor: Editor): void {
  for (const update of editor.sent?.splice(0) ?? []) Y.applyUpdate(server, update, editor);
}

function change({ doc }: Editor, action: string, place: number): void {
  const text = doc.getText("source");
  if (action === "type") text.insert(place % (text.length + 1), "abc");
  else if (action === "delete" && text.length > 0) text.delete(place % text.length, 1);
  else if (action === "pin") doc.getMap("notes").set(`n${place % 2}`, new Y.Map([["text", new Y.Text("x")]]));
}

test("of what editors write and delete in turn nothing counts as forged, and all have the same content", () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 80, size: "max" }), (edits) => {
      const server = new Y.Doc();
      server.getText("source").insert(0, "text");
      const editors = [0, 1].map(() => openEditor(Y.encodeStateAsUpdate(server)));
      server.on("update", (update: Uint8Array, origin: unknown) => {
        for (const editor of editors)
          if (editor !== origin && editor.sent) {
            expect(editor.own.isForged(update)).toBe(false);
            Y.applyUpdate(editor.doc, update, "server");
          }
      });
      for (const { editor: index, action, place } of edits) {
        const editor = editors[index];
        if (!editor) continue;
        const confirm = editor.own.watchSent();
        if (action === "arrive" || action === "save" || action === "leave") arrive(server, editor);
        if (action === "save" && editor.sent) confirm();
        if (action === "leave" || action === "lose") editor.sent = null;
        else if (action === "return" && !editor.sent) join(server, editor);
        else change(editor, action, place);
      }
      for (const editor of [...editors, ...editors]) {
        if (!editor.sent) join(server, editor);
        arrive(server, editor);
      }
      const digests = [server, ...editors.map(({ doc }) => doc)].map((doc) => [toDigest(doc), toContentDigest(doc)]);
      expect(new Set(digests.map(String)).size).toBe(1);
    }),
    { numRuns: 200 },
  );
});

test.each<[string, (doc: Y.Doc) => void, boolean]>([
  ["other letters", (doc) => doc.getText("source").insert(0, "xyz"), false],
  ["the same letters at another place", (doc) => doc.getText("source").insert(4, "abc"), false],
  ["the same letters", (doc) => doc.getText("source").insert(0, "abc"), true],
  ["the same letters elsewhere", (doc) => doc.getText("other").insert(0, "abc"), false],
])("the server may have %s under an own id: %#", (_, write, isOwn) => {
  const seed = new Y.Doc();
  seed.getText("source").insert(0, "text");
  const editor = openEditor(Y.encodeStateAsUpdate(seed));
  editor.doc.getText("source").insert(0, "abc");
  const other = new Y.Doc();
  other.clientID = editor.doc.clientID;
  Y.applyUpdate(other, Y.encodeStateAsUpdate(seed));
  write(other);
  const update = Y.encodeStateAsUpdate(other, Y.encodeStateVector(seed));
  expect(editor.own.isForged(update)).toBe(!isOwn);
  expect(editor.own.isForged(update, Y.encodeStateVector(other))).toBe(!isOwn);
});

test.each([[10n], [{ n: 10n }], [undefined], [Number.NaN], [new Uint8Array([1])]])(
  "values that JSON cannot write have a digest: %#",
  (value) => {
    const [doc, other] = [new Y.Doc(), new Y.Doc()];
    doc.getMap("pins").set("a", value);
    Y.applyUpdate(other, Y.encodeStateAsUpdate(doc));
    expect(toContentDigest(other)).toBe(toContentDigest(doc));
    expect(new OwnWriting(doc).isForged(Y.encodeStateAsUpdate(doc))).toBe(false);
  },
);
