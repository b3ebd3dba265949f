import * as Y from "yjs";
import * as z from "zod/mini";
import { parseKey } from "./known-notes";
import { idSchema, writtenPartSchema } from "./written-parts";

/** What names letters of the text in the notes of each map, beside their keys. */
const schemas = {
  structures: z.object({
    parts: z.array(writtenPartSchema),
    knows: z.array(z.string()),
    refs: z.optional(z.record(z.string(), z.string())),
  }),
  names: z.object({ was: z.optional(z.object({ key: z.string() })), replaces: z.optional(z.string()) }),
  deleted: z.object({ end: idSchema, last: idSchema, known: z.record(z.string(), z.int()) }),
  kept: writtenPartSchema,
};
export type MapOfNotes = keyof typeof schemas;

/** Maps whose notes name letters of the text. */
export const mapsOfNotes: readonly MapOfNotes[] = ["structures", "names", "deleted", "kept"];

/**
 * Whether a note of one of these maps names letters that have not been received. An editor notes only what it has: such a note
 * would mean what someone has yet to write. `stateOf`: up to, without, which clock of a client everything was received.
 */
export function isAhead(name: MapOfNotes, [key, note]: readonly [string | null, unknown], stateOf: StateOf): boolean {
  const isUnknown = ({ client, clock }: Y.ID): boolean => clock >= stateOf(client);
  if (parseKey(key ?? "")?.some(isUnknown)) return true;
  const { data } = schemas[name].safeParse(note);
  return data !== undefined && listIds(data).some(isUnknown);
}

type StateOf = (client: number) => number;

function listIds(note: z.infer<(typeof schemas)[MapOfNotes]>): Y.ID[] {
  const keys = (texts: readonly string[]): Y.ID[] => texts.flatMap((text) => parseKey(text) ?? []);
  if ("parts" in note) {
    const letters = note.parts.flatMap(({ start, end }) => [start, end]);
    return [...letters.map(toId), ...keys(note.knows), ...keys(Object.values(note.refs ?? {}))];
  }
  if ("start" in note) return [note.start, note.end].map(toId);
  if (!("end" in note)) return keys([note.was?.key, note.replaces].filter((key) => key !== undefined));
  const known = Object.entries(note.known).map(([client, clock]) => Y.createID(Number(client), clock));
  return [...[note.end, note.last].map(toId), ...known];
}

const toId = ({ client, clock }: z.infer<typeof idSchema>): Y.ID => Y.createID(client, clock);
