import type { ThumbnailDrawing, ThumbnailLink, ThumbnailNode } from "@/lib/core/layout/thumbnail/thumbnail";

/** Path data by style: all nodes and links of one style are one path. */
export type ThumbnailPaths = ReadonlyMap<string, string>;

type StyledPath = readonly [style: string, path: string];

export function toPaths({ nodes, links }: ThumbnailDrawing): ThumbnailPaths {
  const paths = new Map<string, string>();
  for (const [style, path] of [...nodes.flatMap(drawNode), ...links.flatMap(drawLink)])
    paths.set(style, (paths.get(style) ?? "") + path);
  return paths;
}

const rounded = (x: number, y: number, width: number, height: number, r: number): string =>
  `M${x + r} ${y}h${width - 2 * r}q${r} 0 ${r} ${r}v${height - 2 * r}q0 ${r} ${-r} ${r}h${2 * r - width}q${-r} 0 ${-r} ${-r}v${2 * r - height}q0 ${-r} ${r} ${-r}Z`;

function drawNode([shape, x, y, width, height, color]: ThumbnailNode): StyledPath[] {
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  switch (shape) {
    case "frame":
    case "dashed":
      return [[shape, rounded(x, y, width, height, 9)]];
    case "ghost":
      return [["ghost", rounded(x, y, width, height, 5)]];
    case "diamond": {
      const path = `M${middleX} ${y - 2}L${x + width} ${middleY}L${middleX} ${y + height + 2}L${x} ${middleY}Z`;
      return [["control", path]];
    }
    case "hexagon": {
      const [slope, head] = [height / 2, `M${middleX - 2.5} ${middleY - 3}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`];
      return [
        ["control", `M${x + 8} ${y}h${width - 16}l8 ${slope}l-8 ${slope}h${16 - width}l-8 ${-slope}Z`],
        ["person", `${head}M${middleX - 5} ${middleY + 6}q0 -5 5 -5t5 5`],
      ];
    }
    case "card":
      return [
        ["card", rounded(x, y, width, height, 4.5)],
        ["line", `M${x + 16} ${middleY}h${width - 22}`],
        [`color-${color}`, rounded(x + 4, middleY - 4, 8, 8, 2.5)],
      ];
  }
}

const right = (x: number, y: number): string => `M${x} ${y}l-5.5 -3v6Z`;
const left = (x: number, y: number): string => `M${x} ${y}l5.5 -3v6Z`;
const down = (x: number, y: number): string => `M${x} ${y}l-3 -5.5h6Z`;
const up = (x: number, y: number): string => `M${x} ${y}l-3 5.5h6Z`;

function drawLink([type, x1, y1, x2, y2]: ThumbnailLink): StyledPath[] {
  const middle = (x1 + x2) / 2;
  const across = (start: number, end: number): string => `M${start} ${y1}C${middle} ${y1} ${middle} ${y2} ${end} ${y2}`;
  const draw = (link: string, head: string): StyledPath[] => [
    ["link", link],
    ["head", head],
  ];
  switch (type) {
    case "flow":
      return x2 >= x1 ? draw(across(x1, x2 - 4), right(x2, y2)) : draw(across(x1, x2 + 4), left(x2, y2));
    case "both":
      return draw(across(x1 + 4, x2 - 4), right(x2, y2) + left(x1, y1));
    case "down":
    case "updown": {
      const head = y2 > y1 ? down(x2, y2) : up(x2, y2);
      return draw(`M${x1} ${y1}L${x2} ${y2}`, type === "updown" ? head + up(x1, y1) : head);
    }
    case "spoke":
      return [
        ["link", `M${x1} ${y1}L${x2} ${y2 - 6}`],
        ["ring", `M${x2 - 3} ${y2 - 4}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`],
      ];
    case "back":
      return draw(`M${x1} ${y1}v-8q0 -6 -6 -6H${x2 + 6}q-6 0 -6 6v4`, down(x2, y2));
    case "line":
      return [["link", `M${x1} ${y1}L${x2} ${y2}`]];
  }
}
