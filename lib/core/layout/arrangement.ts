import type { FlowDirection } from "../flow/edit";
import type { NodeType } from "../flow/flow";
import type { NodeKey } from "../flow/node-key";
import type { Group } from "../kinds/group";
import type { Swarm } from "../kinds/swarm";
import type { CanvasBox } from "./scene/canvas-box";

/** One card or frame, in canvas pixels; absolute, pins applied. */
export interface ArrangedNode {
  key: NodeKey;
  name: string;
  type: NodeType | "unknown";
  /** Of a group or swarm. */
  mode?: Group["mode"] | Swarm["mode"];
  /** Of an agent: see `numberAgents`. */
  agentNumber?: number | undefined;
  /** The lane of its branch, router or loop that begins with it. */
  lane?: string;
  /** Drawn round its members; else drawn as a card. */
  frame: boolean;
  /** Of a card: it has members, which are not drawn because a user folded it. */
  folded?: true;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The frame that contains it. */
  parent?: NodeKey;
  /** False: declared but in no topology; drawn in rows below. */
  placed: boolean;
  /** Of its links, where it differs from that of the arrangement: the lead of a team is above its workers. */
  direction?: FlowDirection;
}

export type EdgeType = "flow" | "draft" | "handoff" | "delegate" | "spawn";

export interface ArrangedEdge {
  /** Unique in an arrangement. */
  key: string;
  from: NodeKey;
  to: NodeKey;
  /** `flow`: passes the output on. `draft`: of a drawing that no DSL text can express. `handoff`: may hand over. `delegate`: may call. `spawn`: may start in the background. */
  type: EdgeType;
  /** The node whose topology contains the link; `""` is the root swarm. */
  scope: NodeKey;
  fromName: string;
  toName: string;
  /**
   * Where the links between two neighbours of a serial turn: a coordinate along the flow, between both, where no card is
   * (as long as nothing is pinned).
   */
  trunk?: number | undefined;
  /** Of a link to the next line: where it runs back between the two lines; y when the flow runs right, x when it runs down. */
  turn?: number;
}

/** One line of an outermost serial that was wrapped: a row when the flow runs right, a column when it runs down. */
export interface ArrangedLine {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Its nodes, as a range of `Arrangement.nodes`; `end` is not included. */
  start: number;
  end: number;
}

export interface Arrangement {
  /** Frames before their content. */
  nodes: ArrangedNode[];
  edges: ArrangedEdge[];
  /** Empty unless the outermost serial was wrapped. Pins are not applied. */
  lines: readonly ArrangedLine[];
  /** Right and bottom edge of all nodes; pins may move nodes to the left of 0 or above it. */
  width: number;
  height: number;
  /** The direction of serials: links leave a node on that side. */
  direction: FlowDirection;
  /** Of the root swarm. */
  mode: Swarm["mode"];
  density: Density;
}

/** `compact` cards have no instructions and no tools. */
export type Density = "full" | "compact";

export interface ArrangeOptions {
  /** The direction of serials, instead of that of the layout. */
  direction?: FlowDirection | undefined;
  /** Missing: `full`. */
  density?: Density | undefined;
  /** The most pixels of one line of the outermost serial, which continues in further lines; missing: one line. */
  wrap?: number | undefined;
  /** The most cards in one row of declarations in no topology; missing: five. */
  waitingColumns?: number | undefined;
}

/** Pixels, on a grid of 4. */
export const cardSizes = {
  full: { width: 208, height: 148 },
  compact: { width: 208, height: 92 },
} as const satisfies Record<Density, { width: number; height: number }>;
export const cardSize = cardSizes.full;
/** Between neighbours of a serial, between neighbours of a parallel, and between the lines of a wrapped serial. */
export const gap = { along: 72, across: 28, lines: 56 } as const;
/** The shape in which a branch or router shows its condition, before its lanes. */
export const diamondSize = { width: 172, height: 108 } as const;
/** Whether a node has a diamond before its lanes. */
export const hasDiamond = ({ type }: Pick<ArrangedNode, "type">): boolean => type === "branch" || type === "router";
/** Where a frame has its diamond. */
export const diamondBoxOf = ({ x, y, width, height }: CanvasBox, down: boolean): CanvasBox => ({
  x: down ? x + (width - diamondSize.width) / 2 : x,
  y: down ? y : y + (height - diamondSize.height) / 2,
  ...diamondSize,
});
/** Between the diamond and the lanes, and between the lanes and the point where they join. */
export const laneGap = { before: 72, after: 44 } as const;

export interface FrameInset {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * The free space of a frame around its members: for its labels, for the links back of a loop or of handoffs, for the diamond
 * of a branch. The same on both sides across the flow, so that a frame is in line with its members.
 */
export function frameInsetOf(frame: Pick<ArrangedNode, "type" | "mode">, direction: FlowDirection): FrameInset {
  const { type, mode } = frame;
  const down = direction === "down";
  if (hasDiamond(frame))
    return down
      ? { left: 24, right: 24, top: diamondSize.height + laneGap.before, bottom: laneGap.after }
      : { left: diamondSize.width + laneGap.before, right: laneGap.after, top: 24, bottom: 24 };
  if (type === "loop")
    return down ? { left: 56, right: 56, top: 44, bottom: 44 } : { left: 24, right: 24, top: 60, bottom: 60 };
  const isUnordered = mode === "handoff" || mode === "team" || mode === "orchestrate";
  return isUnordered ? { left: 40, right: 40, top: 44, bottom: 44 } : { left: 20, right: 20, top: 32, bottom: 32 };
}
