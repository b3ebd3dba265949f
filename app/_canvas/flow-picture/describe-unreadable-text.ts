import type { SourceDocument } from "@/lib/core/source/read/source-document";

const maxNames = 3;

/** Null when the canvas shows the current text. */
export function describeUnreadableText(document: SourceDocument): string | null {
  if (document.broken)
    return "The text cannot be read just now. The picture shows what could be read before; drawing waits until the text is mended.";
  const mistake = describeMistake(document);
  return mistake && `${mistake} The picture shows what could be read before; everything else can be changed.`;
}

/** Null when all of it can be read. */
export function describeMistake({ broken, unreadableRanges: brokenParts }: SourceDocument): string | null {
  if (brokenParts.length === 0) return broken ? "There is a mistake in the text." : null;
  const names = [...new Set(brokenParts.flatMap(({ owner }) => (owner === undefined ? [] : [owner ?? "the flow"])))];
  const listedNames = names.slice(0, maxNames).join(", ");
  const remainder = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  const subject = names.length > 0 ? `the text of ${listedNames}${remainder}` : "the text";
  return `There is a mistake in ${subject}.`;
}
