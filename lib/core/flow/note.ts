/** The colours of notes. They have no built-in meaning. */
export const noteColors = ["yellow", "green", "blue", "pink", "grey"] as const;

/** Limits of the number, characters and size of notes; sizes in canvas pixels. */
export const noteLimits = {
  count: 200,
  text: 4000,
  width: { least: 80, most: 1200 },
  height: { least: 48, most: 1200 },
  /** The largest distance from the origin, on each axis. */
  place: 1_000_000,
} as const;

/** The size of a new note. */
export const noteSize = { width: 220, height: 120 } as const;

const { width, height, place: coordinate } = noteLimits;
/** A text on the canvas for readers. It never runs. */
export interface Note {
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
  color: NoteColor;
}
export type NoteColor = (typeof noteColors)[number];

/** The notes of a flow by id. */
export type Notes = Readonly<Record<string, Note>>;

/** The key of a note in a selection. It differs from every node key, because names are not empty. */
export type NoteKey = string;

export const noteKey = (id: string): NoteKey => `/${id}/`;

export const isNoteKey = (key: string): key is NoteKey => key.startsWith("/");

/** A note with its key and id. */
export interface KeyedNote extends Note {
  key: NoteKey;
  id: string;
}

const listCache = new WeakMap<Notes, readonly KeyedNote[]>();
const noNotes: readonly KeyedNote[] = [];

/** All notes, the topmost last; cached by `notes`. */
export function listNotes(notes: Notes | undefined): readonly KeyedNote[] {
  if (!notes) return noNotes;
  const cachedList = listCache.get(notes);
  if (cachedList) return cachedList;
  const list = Object.entries(notes).map(([id, note]) => ({ ...note, id, key: noteKey(id) }));
  listCache.set(notes, list);
  return list;
}

/** The note of a key of the selection. */
export const findNote = (notes: Notes | undefined, key: string): KeyedNote | undefined =>
  isNoteKey(key) ? listNotes(notes).find((note) => note.key === key) : undefined;

/** The notes of a selection. */
export const findNotes = (notes: Notes | undefined, keys: readonly string[]): KeyedNote[] =>
  keys.flatMap((key) => findNote(notes, key) ?? []);

/** The note with its position and size clamped to the limits, on whole pixels. */
export const fitNote = <T extends Partial<Note>>(note: T): T => ({
  ...note,
  ...(note.x === undefined ? {} : { x: clamp(note.x, -coordinate, coordinate) }),
  ...(note.y === undefined ? {} : { y: clamp(note.y, -coordinate, coordinate) }),
  ...(note.width === undefined ? {} : { width: clamp(note.width, width.least, width.most) }),
  ...(note.height === undefined ? {} : { height: clamp(note.height, height.least, height.most) }),
});

const clamp = (value: number, least: number, most: number): number =>
  Math.round(Math.min(Math.max(value, least), most));

/** The first words of a note, for lists and screen readers. */
export function titleOfNote({ text: words }: Pick<Note, "text">): string {
  const line = words.trim().replaceAll(/\s+/g, " ");
  if (line === "") return "empty";
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line;
}

/** The accessible name of a note. */
export const nameNote = (note: Pick<Note, "text">): string => `Note: ${titleOfNote(note)}`;
