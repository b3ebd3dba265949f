import * as z from "zod/mini";
import { type Layout, layoutSchema, sameLayout } from "../flow/edit";
import { listNotes } from "../flow/note";
import { applyChanges } from "../flow/text-change";
import { type History, type Moment, type Step, sealHistory, toHistory } from "./history";

/** Maximum number of stored entries, and their size in characters. The oldest are dropped first. */
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

/** A history as plain data, with the text and layout that it belongs to. */
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
  const keptPast = takeNewest(past, room);
  return { version: 1, text: now.text, layout: now.layout, past: keptPast, future: takeNewest(future, room) };
}

/** The newest steps that fit into `room`. */
function takeNewest(steps: readonly Step[], room: { steps: number; size: number }): readonly Step[] {
  let firstIndex = steps.length;
  for (; firstIndex > 0 && room.steps > 0; firstIndex--, room.steps--) {
    room.size -= sizeOf(steps[firstIndex - 1]);
    if (room.size < 0) break;
  }
  return steps.slice(firstIndex);
}

/** The approximate size of a stored step. Layouts are shared between neighbours, so only a changed one counts. */
function sizeOf(step: Step | undefined): number {
  if (!step) return 0;
  const texts = [...step.changes, ...step.inverse].reduce((sum, { insert }) => sum + insert.length, 0);
  const layout = step.before.layout === step.after.layout ? 0 : sizeOfLayout(step.after.layout);
  return 100 + texts + layout + 20 * (step.before.selection.length + step.after.selection.length);
}

/**
 * The history of a record; null when it belongs to another text or layout than `now`, or is inconsistent. Every step is
 * verified, so undo never produces a text that did not exist.
 */
export function fromHistoryRecord(record: unknown, now: Pick<Moment, "text" | "layout">): History | null {
  const parsedRecord = recordSchema.safeParse(record);
  if (!parsedRecord.success) return null;
  const { text, layout, past, future } = parsedRecord.data;
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

/** Whether the changes can be applied one after another, and each is reverted by its inverse. */
function canApply(start: string, steps: readonly (readonly [Step["changes"], Step["changes"]])[]): boolean {
  let text = start;
  try {
    for (const [changes, inverse] of steps) {
      const next = applyChanges(text, changes);
      if (applyChanges(next, inverse) !== text) return false;
      text = next;
    }
    return true;
  } catch {
    // `applyChanges` throws for ranges outside of the text: the record is invalid.
    return false;
  }
}
