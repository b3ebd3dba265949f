import type { Arrangement } from "../../../../layout/arrangement";
import {
  hasHead,
  type LinkType,
  spawnDashArray,
  toLabelPoint,
  toLinePath,
  toSpawnDashOffset,
} from "../../../../layout/scene/drawn-links";
import { type LinkRoute, toHeadPath, toLinkPoints } from "../../../../layout/scene/link-points";
import { listLinks } from "../../../../layout/scene/list-links";
import type { Palette } from "./palettes";
import { rect, type SvgBox, text, widthOf } from "./svg-shapes";

const draftDashArray = "5 4";

/** All links of an arrangement and the lines inside of its frames, and the points that they reach. */
export function drawLinks(arrangement: Arrangement, palette: Palette) {
  const links = listLinks(arrangement).map((link) => ({ ...link, points: toLinkPoints(link.ends, link.route) }));
  const shapes = links.map(({ type, points, route, isPaired: paired, label }) => {
    const color = type === "draft" ? palette.danger : palette.edge;
    const line = toLinePath(points, { type, isPaired: paired });
    const head = hasHead(type) ? `<path d="${toHeadPath(points)}" fill="${color}"/>` : "";
    const path = `<path d="${line}" fill="none" stroke="${color}" stroke-width="2"${toDashes(type, route)}/>`;
    return path + head + (label === "" ? "" : drawLabel(label, toLabelPoint(points, type), palette));
  });
  return { shapes, points: links.flatMap(({ points }) => points) };
}

function toDashes(type: LinkType, route: LinkRoute): string {
  if (type === "draft") return ` stroke-dasharray="${draftDashArray}"`;
  if (type !== "spawn") return "";
  return ` stroke-dasharray="${spawnDashArray}" stroke-dashoffset="${toSpawnDashOffset(route)}"`;
}

const portSize = 12;

/** The dots at which links end, at both sides of a node. */
export function drawPorts({ x, y, width, height }: SvgBox, down: boolean, palette: Palette): string {
  const corners = down
    ? [
        [x + width / 2, y],
        [x + width / 2, y + height],
      ]
    : [
        [x, y + height / 2],
        [x + width, y + height / 2],
      ];
  return corners
    .map(([middleX = 0, middleY = 0]) => {
      const dot = { x: middleX - portSize / 2, y: middleY - portSize / 2, width: portSize, height: portSize };
      return rect(dot, `rx="6" fill="${palette.card}" stroke="${palette.edge}" stroke-width="2"`);
    })
    .join("");
}

const mostLabelWidth = 96;

function drawLabel(label: string, { x, y }: { x: number; y: number }, palette: Palette): string {
  const width = Math.min(mostLabelWidth, widthOf(label, 11) + 10);
  const box = rect({ x: x - width / 2, y: y - 8, width, height: 16 }, `rx="4" fill="${palette.canvas}"`);
  const style = { x, y: y + 4, width, size: 11, weight: 600, fill: palette.muted, anchor: "middle" } as const;
  return box + text(label, style);
}
