import * as z from "zod/mini";
import { findFreeName } from "./free-name";

/** What a note may be coloured; what the colours mean is up to the people. */
export const noteColors = ["yellow", "green", "blue", "pink", "grey"] as const;

/** Most notes of one flow, most characters of one, and how large one may be, in canvas pixels. */
export const noteLimits = {
  count: 200,
  text: 4000,
  width: { least: 80, most: 1200 },
  height: { least: 48, most: 1200 },
  /** How far from the corner of the flow. */
  place: 1_000_000,
} as const;

/** A new note. */
export const noteSize = { width: 220, height: 120 } as const;

const { width, height, place, text } = noteLimits;
const within = (least: number, most: number) => z.number().check(z.gte(least), z.lte(most));
const placeSchema = within(-place, place);

/** A piece of paper on the canvas: words for people, that never run. */
export const noteSchema = z.strictObject({
  x: placeSchema,
  y: placeSchema,
  width: within(width.least, width.most),
  height: within(height.least, height.most),
  text: z
    .string()
    .check(z.maxLength(text, `expected a note of at most ${text} characters: shorten it, or make two of it`)),
  color: z.enum(noteColors),
});
export type Note = z.infer<typeof noteSchema>;
export type NoteColor = Note["color"];

/** What a flow calls one of its notes. */
export const noteIdSchema = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9_-]{0,39}$/i, "expected the id of a note: at most 40 letters, digits, - and _"));

/** The notes of a flow by id. */
export type Notes = Readonly<Record<string, Note>>;

export const notesSchema = z
  .record(noteIdSchema, noteSchema)
  .check(
    z.refine(
      (notes) => Object.keys(notes).length <= noteLimits.count,
      `expected at most ${noteLimits.count} notes: remove some of them`,
    ),
  );

/** What the selection calls a note. No node has such a key: names are not empty. */
export type NoteKey = string;

export const noteKey = (id: string): NoteKey => `/${id}/`;

export const isNoteKey = (key: string): key is NoteKey => key.startsWith("/");

/** A note with its place in the selection. */
export interface KeyedNote extends Note {
  key: NoteKey;
  id: string;
}

const lists = new WeakMap<Notes, readonly KeyedNote[]>();
const none: readonly KeyedNote[] = [];

/** All notes, as they lie upon each other; made once for each set of them. */
export function listNotes(notes: Notes | undefined): readonly KeyedNote[] {
  if (!notes) return none;
  const known = lists.get(notes);
  if (known) return known;
  const list = Object.entries(notes).map(([id, note]) => ({ ...note, id, key: noteKey(id) }));
  lists.set(notes, list);
  return list;
}

/** The note that a key of the selection stands for. */
export const findNote = (notes: Notes | undefined, key: string): KeyedNote | undefined =>
  isNoteKey(key) ? listNotes(notes).find((note) => note.key === key) : undefined;

/** The notes among what is selected. */
export const findNotes = (notes: Notes | undefined, keys: readonly string[]): KeyedNote[] =>
  keys.flatMap((key) => findNote(notes, key) ?? []);

/** `note`, `note_2` …: the first that is not taken. */
export const freeNoteId = (notes: Notes | undefined): string =>
  findFreeName("note", (id) => notes !== undefined && Object.hasOwn(notes, id));

/** The note as near to what was asked as its limits allow, on whole pixels. */
export const fitNote = <T extends Partial<Note>>(note: T): T => ({
  ...note,
  ...(note.x === undefined ? {} : { x: clamp(note.x, -place, place) }),
  ...(note.y === undefined ? {} : { y: clamp(note.y, -place, place) }),
  ...(note.width === undefined ? {} : { width: clamp(note.width, width.least, width.most) }),
  ...(note.height === undefined ? {} : { height: clamp(note.height, height.least, height.most) }),
});

const clamp = (value: number, least: number, most: number): number =>
  Math.round(Math.min(Math.max(value, least), most));

/** The first words of a note, for lists and for people who cannot see it. */
export function titleOfNote({ text: words }: Pick<Note, "text">): string {
  const line = words.trim().replaceAll(/\s+/g, " ");
  if (line === "") return "empty";
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line;
}

/** What people who cannot see a note are told of it. */
export const nameNote = (note: Pick<Note, "text">): string => `Note: ${titleOfNote(note)}`;
