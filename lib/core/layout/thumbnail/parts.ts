import type { ThumbnailLink, ThumbnailNode } from "./thumbnail";

type LinkEnd = readonly [x: number, y: number];

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A part of a drawing after it was placed: where links enter and leave it. */
export interface PlacedPart {
  ins: readonly LinkEnd[];
  outs: readonly LinkEnd[];
  rect: Rect;
}

/** A part of a drawing with its size. */
export interface Part {
  width: number;
  height: number;
  place(x: number, y: number): PlacedPart;
}

export const cardSize = { width: 46, height: 20 } as const;
export const gap = { along: 30, across: 10 } as const;

/** Collects nodes and links while parts are placed. */
export interface Sketch {
  nodes: ThumbnailNode[];
  links: ThumbnailLink[];
}

export const leaf = (sketch: Sketch, shape: ThumbnailNode[0], color: number): Part => ({
  ...cardSize,
  place(x, y) {
    sketch.nodes.push([shape, x, y, cardSize.width, cardSize.height, color]);
    const middle = y + cardSize.height / 2;
    return { ins: [[x, middle]], outs: [[x + cardSize.width, middle]], rect: { x, y, ...cardSize } };
  },
});

/** One below the other. */
export function toColumn(parts: readonly Part[], space: number = gap.across): Part {
  const width = Math.max(0, ...parts.map((part) => part.width));
  const height = parts.reduce((sum, part) => sum + part.height + space, -space);
  return {
    width,
    height: Math.max(0, height),
    place(x, y) {
      let top = y;
      const placedParts = parts.map((part) => {
        const placed = part.place(x + Math.round((width - part.width) / 2), top);
        top += part.height + space;
        return placed;
      });
      return join(placedParts, { x, y, width, height });
    },
  };
}

const join = (placedParts: readonly PlacedPart[], rect: Rect): PlacedPart => ({
  ins: placedParts.flatMap(({ ins }) => ins),
  outs: placedParts.flatMap(({ outs }) => outs),
  rect,
});

/** One after the other; linked, each leads to the next. */
export function toRow(sketch: Sketch, parts: readonly Part[], { linked, space = gap.along }: RowOptions): Part {
  const width = parts.reduce((sum, part) => sum + part.width + space, -space);
  const height = Math.max(0, ...parts.map((part) => part.height));
  return {
    width: Math.max(0, width),
    height,
    place(x, y) {
      let left = x;
      const placedParts = parts.map((part) => {
        const placed = part.place(left, y + Math.round((height - part.height) / 2));
        left += part.width + space;
        return placed;
      });
      if (linked)
        placedParts.forEach((placed, index) => {
          const next = placedParts[index + 1];
          if (next) linkAll(sketch, placed.outs, next.ins);
        });
      const rect = { x, y, width, height };
      return linked
        ? { ins: placedParts[0]?.ins ?? [], outs: placedParts.at(-1)?.outs ?? [], rect }
        : join(placedParts, rect);
    },
  };
}

interface RowOptions {
  linked: boolean;
  space?: number;
}

/** More links than this between two steps are thinned out: every end keeps one. */
const mostLinks = 16;

export function linkAll(sketch: Sketch, outs: readonly LinkEnd[], ins: readonly LinkEnd[]): void {
  const link = (start: LinkEnd | undefined, end: LinkEnd | undefined): void => {
    if (start && end) sketch.links.push(["flow", ...start, ...end]);
  };
  if (outs.length * ins.length <= mostLinks) for (const start of outs) for (const end of ins) link(start, end);
  else {
    const count = Math.max(outs.length, ins.length);
    for (let i = 0; i < count; i++)
      link(outs[Math.floor((i * outs.length) / count)], ins[Math.floor((i * ins.length) / count)]);
  }
}

const inset = { side: 16, end: 14 } as const;

/** A frame around a part; `end`: free space above and below its content. */
export const toFrame = (
  sketch: Sketch,
  shape: "frame" | "dashed",
  part: Part,
  { end = inset.end, onPlaced }: { end?: number; onPlaced?(content: PlacedPart): void } = {},
): Part => {
  const width = part.width + 2 * inset.side;
  const height = part.height + 2 * end;
  return {
    width,
    height,
    place(x, y) {
      sketch.nodes.push([shape, x, y, width, height, -1]);
      const content = part.place(x + inset.side, y + end);
      onPlaced?.(content);
      return { ...content, rect: { x, y, width, height } };
    },
  };
};
