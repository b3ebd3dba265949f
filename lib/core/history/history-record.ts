import * as z from "zod/mini";
import { type Layout, layoutSchema, sameLayout } from "../flow/edit";
import { listNotes } from "../flow/note";
import { applyChanges } from "../flow/text-change";
import { type History, type Moment, type Step, sealHistory, toHistory } from "./history";

/** Steps that are kept at most, and their size in characters. The oldest go first. */
export const keptLimits = { steps: 300, size: 500_000 } as const;

const offsetSchema = z.int().check(z.minimum(0));
const changesSchema = z.array(z.object({ from: offsetSchema, to: offsetSchema, insert: z.string() }));
const sideSchema = z.object({ layout: layoutSchema, selection: z.array(z.string()) });
const stepSchema = z.object({
  changes: changesSchema,
  inverse: changesSchema,
  before: sideSchema,
  after: sideSchema,
  words: z.optional(z.object({ name: z.string(), done: z.string() })),
});
const recordSchema = z.object({
  version: z.literal(1),
  text: z.string(),
  layout: layoutSchema,
  past: z.array(stepSchema),
  future: z.array(stepSchema),
});

/** A history as it outlives the editor, together with the text and layout that it belongs to. Plain data. */
export interface HistoryRecord {
  version: 1;
  text: string;
  layout: Layout;
  past: readonly Step[];
  future: readonly Step[];
}

export function toHistoryRecord(history: History, now: Moment): HistoryRecord {
  const { past, future } = sealHistory(history, now);
  const room = { steps: keptLimits.steps, size: keptLimits.size };
  const kept = takeNewest(past, room);
  return { version: 1, text: now.text, layout: now.layout, past: kept, future: takeNewest(future, room) };
}

/** The last of the steps, as many as there is room for. */
function takeNewest(steps: readonly Step[], room: { steps: number; size: number }): readonly Step[] {
  let first = steps.length;
  for (; first > 0 && room.steps > 0; first--, room.steps--) {
    room.size -= sizeOf(steps[first - 1]);
    if (room.size < 0) break;
  }
  return steps.slice(first);
}

/** About what it takes to keep a step; layouts are shared between neighbours and counted by what they hold. */
function sizeOf(step: Step | undefined): number {
  if (!step) return 0;
  const texts = [...step.changes, ...step.inverse].reduce((sum, { insert }) => sum + insert.length, 0);
  const layout = step.before.layout === step.after.layout ? 0 : sizeOfLayout(step.after.layout);
  return 100 + texts + layout + 20 * (step.before.selection.length + step.after.selection.length);
}

/**
 * The history of a record; null when it belongs to another text or layout than `now`, or does not hold together. Whatever
 * the record says, undoing never comes to anything but texts that were there.
 */
export function fromHistoryRecord(record: unknown, now: Pick<Moment, "text" | "layout">): History | null {
  const read = recordSchema.safeParse(record);
  if (!read.success) return null;
  const { text, layout, past, future } = read.data;
  if (text !== now.text || !sameLayout(layout, now.layout)) return null;
  const leadsBack = canApply(
    text,
    past.toReversed().map((step) => [step.inverse, step.changes]),
  );
  const leadsOn = canApply(
    text,
    future.toReversed().map((step) => [step.changes, step.inverse]),
  );
  return leadsBack && leadsOn ? toHistory(past, null, future) : null;
}

const sizeOfLayout = ({ pins, notes }: Layout): number =>
  40 * Object.keys(pins).length + listNotes(notes).reduce((sum, { text }) => sum + 100 + text.length, 0);

/** Whether changes can be made one after another, and each be taken back by the one beside it. */
function canApply(start: string, steps: readonly (readonly [Step["changes"], Step["changes"]])[]): boolean {
  let text = start;
  try {
    for (const [there, back] of steps) {
      const next = applyChanges(text, there);
      if (applyChanges(next, back) !== text) return false;
      text = next;
    }
    return true;
  } catch {
    // `applyChanges` throws for ranges outside of the text: then the record is of no use.
    return false;
  }
}
