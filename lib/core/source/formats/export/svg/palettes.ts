import type { NoteColor } from "../../../../flow/note";
import type { NodeChangeType } from "../../../query/diff-flows";

/** The colours of a picture of a flow: values of `fill` and `stroke`. */
export interface Palette {
  canvas: string;
  card: string;
  frame: string;
  line: string;
  border: string;
  chip: string;
  onAgent: string;
  edge: string;
  text: string;
  muted: string;
  danger: string;
  mark: string;
  /** Of the identity colours, in order. */
  agents: readonly string[];
  notes: Readonly<Record<NoteColor, string>>;
}

/** With the colours of what differs from another flow. */
export interface ComparisonPalette extends Palette {
  changes: Readonly<Record<NodeChangeType, string>>;
}

/** The colours of the app's canvas, for pictures that leave it. */
export const palettes = {
  light: {
    canvas: "#f6f7f9",
    card: "#ffffff",
    frame: "#eef0f4",
    line: "#c6ccd5",
    border: "#808997",
    chip: "#eef0f4",
    onAgent: "#ffffff",
    edge: "#7b8493",
    text: "#16191f",
    muted: "#515a68",
    danger: "#c22d2d",
    mark: "#3b5bdb",
    changes: { added: "#167043", removed: "#c22d2d", changed: "#8f5b00", renamed: "#2f4ac0" },
    agents: ["#794df9", "#117a97", "#96653d", "#7a0a62", "#2057ac", "#5c3a04", "#1d2797", "#545c6a"],
    notes: { yellow: "#fff3bf", green: "#d8f5e0", blue: "#dbe9ff", pink: "#ffe0ec", grey: "#e6e9ee" },
  },
  dark: {
    canvas: "#0e1014",
    card: "#1a1e25",
    frame: "#14171c",
    line: "#3b424f",
    border: "#667080",
    chip: "#222731",
    onAgent: "#0e1014",
    edge: "#727c8b",
    text: "#e8eaee",
    muted: "#a9b2bf",
    danger: "#ff8080",
    mark: "#91a7ff",
    changes: { added: "#51cf8a", removed: "#ff8080", changed: "#f2b84b", renamed: "#91a7ff" },
    agents: ["#d9ccff", "#0a93ad", "#be8c71", "#ef57c6", "#4694fe", "#f2a457", "#9cb4fe", "#acbeca"],
    notes: { yellow: "#3d3310", green: "#14361f", blue: "#1a2c4d", pink: "#44182c", grey: "#262b34" },
  },
} satisfies Record<string, ComparisonPalette>;
