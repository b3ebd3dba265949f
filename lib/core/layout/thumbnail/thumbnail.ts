/** `ghost`: made while the flow runs. `dashed`: the frame of an orchestration. */
export const thumbnailShapes = ["card", "ghost", "diamond", "hexagon", "frame", "dashed"] as const;
/** `both`: with two heads. `spoke`: ends in a ring. `back`: above its cards, to an earlier one. `line`: without a head. */
export const thumbnailLinkTypes = ["flow", "both", "down", "updown", "spoke", "back", "line"] as const;

/** Left, top, width and height; `color`: the identity colour of an agent, 0 to 7, or -1. */
export type ThumbnailNode = readonly [
  shape: (typeof thumbnailShapes)[number],
  x: number,
  y: number,
  width: number,
  height: number,
  color: number,
];
export type ThumbnailLink = readonly [
  type: (typeof thumbnailLinkTypes)[number],
  x1: number,
  y1: number,
  x2: number,
  y2: number,
];

/** A flow as lists show it, without names. Frames are before their content. In pixels of a card of 46 x 20. */
export interface ThumbnailDrawing {
  type: "drawing";
  width: number;
  height: number;
  nodes: readonly ThumbnailNode[];
  links: readonly ThumbnailLink[];
}

/** A flow with too many nodes to draw: a column for each step, and in it a digit for each agent, its colour. */
export interface ThumbnailBlocks {
  type: "blocks";
  columns: readonly string[];
}

export type FlowThumbnail = ThumbnailDrawing | ThumbnailBlocks;

/** Longest JSON of a thumbnail, in UTF-16 units. */
export const maxThumbnailUnits = 32_000;
