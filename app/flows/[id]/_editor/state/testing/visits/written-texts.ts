import type { Notes } from "@/lib/core/flow/note";
import type { FlowContent } from "@/lib/core/live/live-document";

/** All that is written in a flow: its text, and a line for each note on the canvas. */
export const printTexts = ({ source, layout: { notes = {} } }: FlowContent): string =>
  [source, ...Object.entries(notes).map(printNote).toSorted()].join("\n");

const printNote = ([id, { text }]: [string, Notes[string]]): string => `${id}: ${text}`;
