import type { MendText } from "@/lib/simulate/program/mends";

/** Mends of faults that a seed must find once a mend is taken out. */
export const mends = {
  /** What a closed tab deleted beside letters that it had not sent is deleted when the document is joined. */
  "late-deletions": {
    file: "app/flows/[id]/_editor/state/live/live-parts.ts",
    replacements: [["const update = readDeletions(doc, copy);", "const update = null;"]],
  },
  /** Of a note that two people wrote apart the words of both stay. */
  "note-texts": {
    file: "lib/core/flow/rebase/rebase-layout.ts",
    replacements: [
      ["return { ...rebased, text: rebaseText(before.text, after.text, current.text) };", "return rebased;"],
    ],
  },
  /** A note that someone deleted is there again where someone else wrote in it without knowing. */
  "unseen-writing": {
    file: "lib/core/live/live-document.ts",
    replacements: [['value.get("deleted") === toFingerprint(text)', 'value.has("deleted")']],
  },
} satisfies Record<string, MendText>;

export type Mend = keyof typeof mends;

export const isMend = (text: string): text is Mend => Object.hasOwn(mends, text);
