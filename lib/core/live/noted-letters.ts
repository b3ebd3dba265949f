import * as Y from "yjs";
import * as z from "zod/mini";
import { parseKey } from "./known-notes";
import { idSchema, writtenPartSchema } from "./written-parts";

type Id = z.infer<typeof idSchema>;

/** Returns the letters that a note names beside its key; none of what is no such note. */
const readWith =
  <T>(schema: z.ZodMiniType<T>, list: (note: T) => readonly Id[]) =>
  (note: unknown): readonly Id[] => {
    const { data } = schema.safeParse(note);
    return data === undefined ? [] : list(data);
  };

const parseKeys = (keys: readonly (string | undefined)[]): Y.ID[] => keys.flatMap((key) => parseKey(key ?? "") ?? []);

const versionSchema = z.object({
  parts: z.array(writtenPartSchema),
  knows: z.array(z.string()),
  nameEnd: z.optional(z.string()),
  refs: z.optional(z.record(z.string(), z.string())),
});
const nameSchema = z.object({ was: z.optional(z.object({ key: z.string() })), replaces: z.optional(z.string()) });
const partsSchema = z.object({ parts: z.array(writtenPartSchema) });
const deletedSchema = z.object({
  ...{ end: idSchema, last: idSchema, known: z.record(z.string(), z.int()) },
  parts: z.optional(partsSchema.shape.parts),
});

const listEnds = (parts: readonly z.infer<typeof writtenPartSchema>[]): Id[] =>
  parts.flatMap(({ start, end }) => [start, end]);

const readName = readWith(nameSchema, ({ was, replaces }) => parseKeys([was?.key, replaces]));

const readers = {
  structures: readWith(versionSchema, ({ parts, knows, nameEnd, refs = {} }) => [
    ...listEnds(parts),
    ...parseKeys([...knows, nameEnd, ...Object.values(refs)]),
  ]),
  names: readName,
  variables: readName,
  deleted: readWith(deletedSchema, ({ end, last, known, parts = [] }) => [
    end,
    last,
    ...listEnds(parts),
    ...Object.entries(known).map(([client, clock]) => Y.createID(Number(client), clock)),
  ]),
  kept: readWith(writtenPartSchema, ({ start, end }) => [start, end]),
  restored: readWith(partsSchema, ({ parts }) => listEnds(parts)),
};
export type MapOfNotes = keyof typeof readers;

/** Maps whose notes name letters of the text. */
export const mapsOfNotes: readonly MapOfNotes[] = ["structures", "names", "variables", "deleted", "kept", "restored"];

/**
 * Whether a note of one of these maps names letters that have not been received. An editor notes only what it has: such a note
 * would mean what someone has yet to write. `stateOf`: up to, without, which clock of a client everything was received.
 */
export const isAhead = (
  name: MapOfNotes,
  [key, note]: readonly [string | null, unknown],
  stateOf: (client: number) => number,
): boolean =>
  [...parseKeys([key ?? undefined]), ...readers[name](note)].some(({ client, clock }) => clock >= stateOf(client));
