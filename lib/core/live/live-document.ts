import * as Y from "yjs";
import { type Layout, sameFields } from "../flow/edit";
import { toFingerprint } from "../flow/hash-text";
import type { Note, Notes } from "../flow/note";
import { layoutSchema, pinSchema } from "../flow/schemas/layout-schema";
import { noteSchema } from "../flow/schemas/note-schema";
import { applyChanges } from "../flow/text-change";
import { splitsPair, type TextChange } from "../flow/text-range";
import { diffWords } from "./diff-texts";

/** What a live document holds. */
export interface FlowContent {
  source: string;
  layout: Layout;
}

const textOf = (doc: Y.Doc): Y.Text => doc.getText("source");
const pinsOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("pins");
/** Each note is a map of its fields; its text is a Y.Text. A deleted one is there, too: see `isDeleted`. */
const notesOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("notes");
const foldedOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("folded");
/** `direction` and `fit`. */
const settingsOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("settings");

/** A new document with this content, as an update. Called once in the life of a flow's document. */
export function seedDocument({ source, layout }: FlowContent): Uint8Array {
  const doc = new Y.Doc();
  doc.transact(() => {
    textOf(doc).insert(0, source);
    writeLayout(doc, { pins: {} }, layout);
  });
  return Y.encodeStateAsUpdate(doc);
}

export const readText = (doc: Y.Doc): string => textOf(doc).toString();

/** The text of a document of which an update is everything; null: it is a part. */
export function readWholeText(update: Uint8Array): string | null {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  const isWhole = doc.store.pendingStructs === null && textOf(doc).length > 0;
  const text = isWhole ? readText(doc) : null;
  doc.destroy();
  return text;
}

/** What people wrote in a document: its text, and the notes on the canvas. */
export interface WrittenTexts {
  source: string;
  notes: Notes;
}

/** By client: the clock from which on what it wrote is left out. */
type Ends = ReadonlyMap<number, number>;

/** For each of `ends` the texts of a document without what these ids wrote from their clocks on; what they deleted stays deleted. */
export function readTextsBefore(update: Uint8Array, ends: readonly Ends[]): WrittenTexts[] {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  const texts = ends.map((clocks) => ({
    source: readTextBefore(textOf(doc), clocks),
    notes: readNotesBefore(doc, clocks),
  }));
  doc.destroy();
  return texts;
}

const endOf = ({ id }: Y.Item, ends: Ends): number => ends.get(id.client) ?? Number.POSITIVE_INFINITY;
const isBefore = (item: Y.Item, ends: Ends): boolean => !item.deleted && item.id.clock < endOf(item, ends);

function readTextBefore(text: Y.Text, ends: Ends): string {
  let written = "";
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentString)) continue;
    written += item.content.str.slice(0, Math.max(0, endOf(item, ends) - item.id.clock));
  }
  return written;
}

function readNotesBefore(doc: Y.Doc, ends: Ends): Notes {
  const notes = [...notesOf(doc)._map].flatMap(([id, item]): [string, Note][] => {
    const value = notesOf(doc).get(id);
    const note = isBefore(item, ends) && value instanceof Y.Map ? readNote(value) : undefined;
    if (!note || !(value instanceof Y.Map)) return [];
    const deletion = value._map.get("deleted");
    if (deletion && isBefore(deletion, ends) && isDeleted(value, note)) return [];
    const text = value.get("text");
    return [[id, text instanceof Y.Text ? { ...note, text: readTextBefore(text, ends) } : note]];
  });
  return Object.fromEntries(notes);
}

/** What the document holds now. Entries that no flow may have are left out; notes keep their order in `before`. */
export function readLayout(doc: Y.Doc, before?: Layout): Layout {
  const { direction, fit } = settingsOf(doc).toJSON();
  const notes = readNotes(doc, before?.notes);
  const folded = [...foldedOf(doc).keys()].toSorted();
  const layout: Layout = {
    pins: readPins(doc),
    ...(Object.keys(notes).length > 0 && { notes }),
    ...(folded.length > 0 && { folded }),
  };
  const settings = layoutSchema.safeParse({ pins: {}, ...(direction && { direction }), ...(fit && { fit }) });
  return settings.success ? { ...layout, ...settings.data, pins: layout.pins } : layout;
}

type Pin = Layout["pins"][string];

/** What was read of stored values, which never change; undefined: not a pin. Thousands of pins are read at each save. */
const readValues = new WeakMap<object, Pin | undefined>();

function readPins(doc: Y.Doc): Layout["pins"] {
  const pins = [...pinsOf(doc).entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    pins.flatMap(([key, value]): [string, Pin][] => {
      const pin = readPin(value);
      return pin ? [[key, pin]] : [];
    }),
  );
}

function readPin(value: unknown): Pin | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!readValues.has(value)) readValues.set(value, pinSchema.safeParse(value).data);
  return readValues.get(value);
}

/** `note_9` comes before `note_10`. */
const { compare: compareIds } = new Intl.Collator("en", { numeric: true });

function readNotes(doc: Y.Doc, before: Notes = {}): Notes {
  const rank = new Map(Object.keys(before).map((id, index) => [id, index]));
  const rankOf = (id: string): number => rank.get(id) ?? rank.size;
  const notes = [...notesOf(doc)].flatMap(([id, value]): [string, Note][] => {
    const data = readNote(value);
    return data && !isDeleted(value, data) ? [[id, sameFields(before[id], data) ? (before[id] ?? data) : data]] : [];
  });
  return Object.fromEntries(notes.toSorted(([a], [b]) => rankOf(a) - rankOf(b) || compareIds(a, b)));
}

/** Undefined: it is no note. */
function readNote(value: unknown): Note | undefined {
  if (!(value instanceof Y.Map)) return noteSchema.safeParse(value).data;
  const { deleted: _, ...fields } = value.toJSON();
  return noteSchema.safeParse(fields).data;
}

/**
 * Whether a note is deleted: it has the text that it had then. What someone wrote in it without knowing of that brings it back,
 * for all alike.
 */
const isDeleted = (value: unknown, { text }: Note): boolean =>
  value instanceof Y.Map && value.get("deleted") === toFingerprint(text);

/** Makes the changes of the text `before`, which is the document's, widened to whole characters. */
export function writeText(doc: Y.Doc, before: string, changes: readonly TextChange[]): void {
  writeChanges(textOf(doc), before, changes);
}

function writeChanges(text: Y.Text, before: string, changes: readonly TextChange[]): void {
  for (const change of [...changes].sort((a, b) => b.from - a.from || b.to - a.to)) writeChange(text, before, change);
}

/** Yjs replaces each half of a surrogate pair that is split. */
function writeChange(text: Y.Text, before: string, { from: start, to: end, insert }: TextChange): void {
  const from = splitsPair(before, start) ? start - 1 : start;
  const to = splitsPair(before, end) ? end + 1 : end;
  if (to > from) text.delete(from, to - from);
  const whole = before.slice(from, start) + insert + before.slice(end, to);
  if (whole !== "") text.insert(from, whole);
}

/** Replaces lines: what others append to them comes after what takes their place. */
export function replaceLines(doc: Y.Doc, { from: start, to: end, insert }: TextChange): void {
  textOf(doc).insert(start, insert);
  textOf(doc).delete(start + insert.length, end - start);
}

/** Writes what differs between two layouts, entry by entry and, of notes, field by field. */
export function writeLayout(doc: Y.Doc, before: Layout, after: Layout): void {
  if (before === after) return;
  writeEntries(pinsOf(doc), before.pins, after.pins);
  writeNotes(notesOf(doc), before.notes ?? {}, after.notes ?? {});
  const toEntries = ({ folded = [] }: Layout) => Object.fromEntries(folded.map((key) => [key, true]));
  writeEntries(foldedOf(doc), toEntries(before), toEntries(after));
  const toSettings = ({ direction, fit }: Layout) => ({ ...(direction && { direction }), ...(fit && { fit }) });
  writeEntries(settingsOf(doc), toSettings(before), toSettings(after));
}

function writeEntries(map: Y.Map<unknown>, before: object, after: object): void {
  const [olds, news] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const key of olds.keys()) if (!news.has(key)) map.delete(key);
  for (const [key, value] of news) if (!isSame(olds.get(key), value)) map.set(key, value);
}

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function writeNotes(map: Y.Map<unknown>, before: Notes, after: Notes): void {
  for (const [id, note] of Object.entries(before)) if (!Object.hasOwn(after, id)) deleteNote(map, id, note);
  for (const [id, note] of Object.entries(after)) {
    const stored = map.get(id);
    // One that was deleted comes back as the same note.
    const oldNote = before[id] ?? readNote(stored);
    if (!oldNote || !(stored instanceof Y.Map)) map.set(id, toNoteMap(note));
    else if (note !== before[id]) writeNote(stored, oldNote, note);
  }
}

/** So many deleted notes are kept: of the earlier ones no one has an old state any more. */
const maxDeletedNotes = 200;

function deleteNote(map: Y.Map<unknown>, id: string, { text }: Note): void {
  const earlier = [...map].filter(([, value]) => value instanceof Y.Map && value.has("deleted"));
  if (earlier.length >= maxDeletedNotes) for (const [earlierId] of earlier) map.delete(earlierId);
  const stored = map.get(id);
  if (stored instanceof Y.Map) stored.set("deleted", toFingerprint(text));
  else map.delete(id);
}

function toNoteMap({ text, ...fields }: Note): Y.Map<unknown> {
  const map = new Y.Map<unknown>(Object.entries(fields));
  map.set("text", new Y.Text(text));
  return map;
}

function writeNote(map: Y.Map<unknown>, { text: oldText, ...oldFields }: Note, { text, ...fields }: Note): void {
  writeEntries(map, oldFields, fields);
  if (map.has("deleted")) map.delete("deleted");
  const stored = map.get("text");
  if (stored instanceof Y.Text) writeChanges(stored, oldText, diffWords(oldText, text));
}

/** The changes of the text that an event of it describes. */
const toTextChanges = ({ delta }: Y.YTextEvent): TextChange[] => {
  const changes: TextChange[] = [];
  let offset = 0;
  for (const { retain = 0, delete: removed = 0, insert } of delta) {
    offset += retain;
    if (typeof insert === "string") changes.push({ from: offset, to: offset, insert });
    if (removed > 0) changes.push({ from: offset, to: offset + removed, insert: "" });
    offset += removed;
  }
  return changes;
};

export interface DocumentChange {
  /** Of the text before. */
  changes: readonly TextChange[];
  layoutChanged: boolean;
  /** Of the transaction. */
  origin: unknown;
}

/** Calls `onChange` after every transaction that changed the text or the layout. Returns the function that ends it. */
export function watchDocument(doc: Y.Doc, onChange: (change: DocumentChange) => void): () => void {
  let changes: TextChange[] = [];
  let layoutChanged = false;
  const takeText = (event: Y.YTextEvent): void => {
    changes = toTextChanges(event);
  };
  const takeLayout = (): void => {
    layoutChanged = true;
  };
  const report = ({ origin }: Y.Transaction): void => {
    if (changes.length === 0 && !layoutChanged) return;
    const change = { changes, layoutChanged, origin };
    [changes, layoutChanged] = [[], false];
    onChange(change);
  };
  const maps = [pinsOf(doc), notesOf(doc), foldedOf(doc), settingsOf(doc)];
  textOf(doc).observe(takeText);
  for (const map of maps) map.observeDeep(takeLayout);
  doc.on("afterTransaction", report);
  return () => {
    textOf(doc).unobserve(takeText);
    for (const map of maps) map.unobserveDeep(takeLayout);
    doc.off("afterTransaction", report);
  };
}

/** The text of the document after `changes` of the text `before`. */
export const followText = (before: string, { changes }: Pick<DocumentChange, "changes">): string =>
  changes.length === 0 ? before : applyChanges(before, changes);
