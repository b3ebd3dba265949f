import type { SourceDocument } from "@/lib/core/source/read/source-document";

const mostNamed = 3;

/** Of what the canvas shows an older picture, and why; null when it shows what the text says. */
export function describeUnread(document: SourceDocument): string | null {
  if (document.broken)
    return "The text cannot be read just now. The picture shows what could be read before; drawing waits until the text is mended.";
  const mistake = describeBroken(document);
  return mistake && `${mistake} The picture shows what could be read before; everything else can be changed.`;
}

/** What of a text cannot be read, as a sentence; null when all of it can. */
export function describeBroken({ broken, brokenParts }: SourceDocument): string | null {
  if (brokenParts.length === 0) return broken ? "There is a mistake in the text." : null;
  const names = [...new Set(brokenParts.flatMap(({ owner }) => (owner === undefined ? [] : [owner ?? "the flow"])))];
  const shown = names.slice(0, mostNamed).join(", ");
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  const what = names.length > 0 ? `the text of ${shown}${more}` : "the text";
  return `There is a mistake in ${what}.`;
}
