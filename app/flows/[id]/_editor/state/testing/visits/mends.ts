import type { MendText } from "@/lib/simulate/program/mends";

/** Mends of faults that a seed must find once a mend is taken out. */
export const mends = {
  /** What a closed tab deleted beside letters that it had not sent is deleted when the document is joined. */
  "late-deletions": {
    file: "app/flows/[id]/_editor/state/live/live-parts.ts",
    replacements: [["const update = readDeletions(doc, copy);", "const update = null;"]],
  },
} satisfies Record<string, MendText>;

export type Mend = keyof typeof mends;

export const isMend = (text: string): text is Mend => Object.hasOwn(mends, text);
