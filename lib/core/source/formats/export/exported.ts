import type { Layout } from "../../../flow/edit";
import type { Flow } from "../../../flow/flow";

/** A flow as an exporter receives it: its text and its content. */
export interface ExportSource {
  text: string;
  flow: Flow;
  /** Pins and notes of the canvas; a picture shows them. */
  layout?: Layout;
}

export interface ExportOptions {
  /** Colours of a picture. */
  theme?: "light" | "dark";
  /** Nodes of a picture to point out, by name, with the word that is written at them. */
  marks?: ReadonlyMap<string, string>;
  /** The number of each agent's colour, by name; others have that of their flow (see `numberAgents`). */
  agentNumbers?: ReadonlyMap<string, number>;
  /** The size that a picture is shown at: a flow without positions made by hand is arranged for it. */
  view?: { width: number; height: number };
}

/** A flow in another format. */
export interface Exported {
  text: string;
  /** What is written in another way, or needs a hand where it is used, each in a sentence for people. */
  notes: readonly string[];
  /** What the format cannot express: the text differs in meaning from the flow (see `ImportEffect` in imported.ts). */
  losses: readonly string[];
}
