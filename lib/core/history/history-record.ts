import * as z from "zod/mini";
import { type Layout, sameLayout } from "../flow/edit";
import { listNotes } from "../flow/note";
import { layoutSchema } from "../flow/schemas/layout-schema";
import { applyChanges } from "../flow/text-change";
import { type History, type HistoryEntry, type Moment, sealHistory, toHistory } from "./history";

/** Maximum number of stored entries, and their size in characters. The oldest are dropped first. */
export const storedLimits = { steps: 300, size: 500_000 } as const;

const offsetSchema = z.int().check(z.minimum(0));
const changesSchema = z.array(z.object({ from: offsetSchema, to: offsetSchema, insert: z.string() }));
const rangesSchema = z.array(z.object({ from: offsetSchema, to: offsetSchema }));
const stateSchema = z.object({ layout: layoutSchema, selection: z.array(z.string()) });
const entrySchema = z.object({
  changes: changesSchema,
  inverse: changesSchema,
  before: stateSchema,
  after: stateSchema,
  words: z.optional(z.object({ name: z.string(), done: z.string() })),
  takesForeign: z.optional(z.boolean()),
});
const recordSchema = z.object({
  version: z.literal(1),
  text: z.string(),
  layout: layoutSchema,
  past: z.array(entrySchema),
  future: z.array(entrySchema),
  foreign: z.optional(rangesSchema),
});

/** A history as plain data, with the text and layout that it belongs to. */
export interface HistoryRecord extends Pick<History, "past" | "future"> {
  version: 1;
  /** Missing in records of earlier versions. */
  foreign?: History["foreign"];
  text: string;
  layout: Layout;
}

export function toHistoryRecord(history: History, now: Moment): HistoryRecord {
  const { past, future, foreign } = sealHistory(history, now);
  const room = { ...storedLimits };
  const keptPast = takeNewest(past, room);
  return { version: 1, text: now.text, layout: now.layout, past: keptPast, future: takeNewest(future, room), foreign };
}

/** The newest entries that fit into `room`. */
function takeNewest(entries: readonly HistoryEntry[], room: { steps: number; size: number }): readonly HistoryEntry[] {
  const lastRefused = entries.findLastIndex((entry) => {
    room.size -= sizeOf(entry);
    return room.size < 0 || room.steps-- <= 0;
  });
  return entries.slice(lastRefused + 1);
}

/** The approximate size of a stored entry. Layouts are shared between neighbours, so only a changed one counts. */
function sizeOf(entry: HistoryEntry): number {
  const texts = [...entry.changes, ...entry.inverse].reduce((sum, { insert }) => sum + insert.length, 0);
  const layout = entry.before.layout === entry.after.layout ? 0 : sizeOfLayout(entry.after.layout);
  return 100 + texts + layout + 20 * (entry.before.selection.length + entry.after.selection.length);
}

/**
 * The history of a record; null when it belongs to another text or layout than `now`, or is inconsistent. Every entry is
 * verified, so undo never produces a text that did not exist.
 */
export function fromHistoryRecord(record: unknown, now: Pick<Moment, "text" | "layout">): History | null {
  const parsedRecord = recordSchema.safeParse(record);
  if (!parsedRecord.success) return null;
  const { text, layout, past, future, foreign = [] } = parsedRecord.data;
  if (text !== now.text || !sameLayout(layout, now.layout)) return null;
  const isConsistent = canApply(text, past, "inverse", "changes") && canApply(text, future, "changes", "inverse");
  return isConsistent ? toHistory({ past, open: null, future, foreign }) : null;
}

const sizeOfLayout = ({ pins, notes }: Layout): number =>
  40 * Object.keys(pins).length + listNotes(notes).reduce((sum, { text }) => sum + 100 + text.length, 0);

type ChangesField = "changes" | "inverse";

/** Whether the entries can be applied one after another, the last one first, and each can be reverted. */
function canApply(
  start: string,
  entries: readonly Pick<HistoryEntry, ChangesField>[],
  direction: ChangesField,
  opposite: ChangesField,
): boolean {
  let text = start;
  try {
    for (const entry of entries.toReversed()) {
      const next = applyChanges(text, entry[direction]);
      if (applyChanges(next, entry[opposite]) !== text) return false;
      text = next;
    }
    return true;
  } catch {
    // `applyChanges` throws for ranges outside of the text: the record is invalid.
    return false;
  }
}
