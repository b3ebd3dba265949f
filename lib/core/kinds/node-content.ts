import type { Expression } from "../flow/expression";
import type { Link } from "../flow/graph";

/** A topology inside a declaration, under the name that it has in the flow file and on the canvas. */
export type Lane = readonly [name: string, flow: Expression | undefined];

/** What a frame on the canvas contains. */
export type NodeContent =
  /** A topology. */
  | { type: "flow"; flow: Expression }
  /** The lanes of a control, side by side. */
  | { type: "lanes"; lanes: readonly Lane[] }
  /** Members without an order, side by side. */
  | { type: "members"; members: readonly string[] }
  /** Members and links between them. `ranks`: by distance from the first member, or by the longest path. */
  | {
      type: "graph";
      members: readonly string[];
      links: readonly Link[];
      linkType: "draft" | "handoff" | "delegate";
      ranks: "distance" | "longest-path";
    };
