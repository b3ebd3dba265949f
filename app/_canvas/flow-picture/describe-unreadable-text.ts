import { formatCount } from "@/lib/core/flow/format-count";
import type { FlowReading } from "@/lib/core/source/read/source-document";

const maxNames = 3;

/** Null when the canvas shows the current text. */
export function describeUnreadableText(document: FlowReading): string | null {
  if (document.broken)
    return "The text cannot be read. The canvas shows its last readable version and cannot be edited until the text is fixed.";
  const mistake = describeMistake(document);
  return mistake && `${mistake} The canvas shows its last readable version; everything else can be edited.`;
}

/** Null when all of it can be read. */
export function describeMistake({ broken, unreadableRanges }: FlowReading): string | null {
  if (unreadableRanges.length === 0) return broken ? "There is a mistake in the text." : null;
  const names = [
    ...new Set(unreadableRanges.flatMap(({ owner }) => (owner === undefined ? [] : [owner ?? "the flow"]))),
  ];
  const listedNames = names.slice(0, maxNames).join(", ");
  const remainder = names.length > maxNames ? ` and ${formatCount(names.length - maxNames)} more` : "";
  const subject = names.length > 0 ? `the text of ${listedNames}${remainder}` : "the text";
  return `There is a mistake in ${subject}.`;
}
