import type * as Y from "yjs";
import { eolOf, type TextChange } from "../flow/text-range";
import { readText } from "../live/live-document";
import { writeSharedText } from "../live/shared-text";
import { listLatestVersions, listVersions, type StructureVersion } from "../live/structure-versions";
import { findRanges } from "../live/written-parts";

/**
 * Separates the fields that list the members of one scope, where what was between them is gone: one person wrote other fields in
 * their place, which were taken out since.
 */
export function mendFields(doc: Y.Doc): void {
  const text = readText(doc);
  // Looking for their letters takes longer.
  if (!/[^\s{,](?:agents|edges|flow):/.test(text)) return;
  const latest = [...listLatestVersions(listVersions(doc)).values()].flat();
  const versions = latest.filter(({ parts: { length } }) => length > 1 && length <= maxFields);
  const changes = versions.slice(0, maxVersions).flatMap((version) => listMissing(doc, text, version));
  // Several versions may have the same letters.
  const missing = new Map(changes.map((change) => [change.from, change]));
  if (missing.size > 0) writeSharedText(doc, [...missing.values()]);
}

/** Maximum number of fields of one scope, and of versions that are looked at: each walks the text. */
const [maxFields, maxVersions] = [3, 20];

/** The separators that are missing between the fields of a version. */
function listMissing(doc: Y.Doc, text: string, { parts }: StructureVersion): TextChange[] {
  const ranges = parts.flatMap((part) => findRanges(doc, [part])).toSorted((a, b) => a.from - b.from);
  return ranges.slice(1).flatMap((range, index): TextChange[] => {
    const { from: place } = range;
    const before = ranges[index];
    const [key, keyBefore] = [range, before].map((one) => one && findKey(text.slice(one.from, one.to)));
    if (before?.to !== place || !key || !keyBefore || key === keyBefore) return [];
    const line = text.slice(text.lastIndexOf("\n", place - 1) + 1, place);
    const isInBraces = line.split("{").length > line.split("}").length;
    const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
    const eol = eolOf(text);
    return [{ from: place, to: place, insert: isInBraces ? ", " : eol + indent }];
  });
}

const findKey = (field: string): string | undefined => /^(agents|edges|flow):/.exec(field)?.[1];
