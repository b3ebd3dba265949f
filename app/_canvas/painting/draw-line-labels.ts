import { mostReadableCards } from "@/lib/core/layout/choose-arrangement";
import { toScreenBox } from "@/lib/core/layout/scene/canvas-box";
import type { Scene } from "@/lib/core/layout/scene/scene";
import type { SceneDrawing } from "./scene-drawing";

/** In CSS pixels; rows that are lower than this have no label. */
const leastHeight = 14;
const distance = 10;

/** Beside each row of a flow of many agents, which of them it contains. */
export function drawLineLabels(drawing: SceneDrawing): void {
  const { context, scene, colors } = drawing;
  const { lines, direction } = scene.arrangement;
  if (lines.length === 0 || direction === "down" || scene.nodes.length <= mostReadableCards) return;
  context.font = '11px "JetBrains Mono Variable", ui-monospace, monospace';
  context.textBaseline = "middle";
  context.textAlign = "right";
  context.fillStyle = colors.muted;
  listLabels(scene).forEach((label, index) => {
    const line = lines[index];
    const box = line && toScreenBox(line, drawing);
    if (box && box.height >= leastHeight) context.fillText(label, box.x - distance, box.y + box.height / 2);
  });
  context.textAlign = "left";
}

/** `000–059`, `060–119`: the agents of each line, counted from 0. */
export function listLabels({ nodes, arrangement: { lines } }: Pick<Scene, "nodes" | "arrangement">): string[] {
  const isAgent = nodes.map(({ type }) => type === "agent");
  const digits = String(Math.max(0, isAgent.filter(Boolean).length - 1)).length;
  const print = (number: number): string => String(number).padStart(digits, "0");
  let first = 0;
  return lines.map(({ start, end }) => {
    const count = isAgent.slice(start, end).filter(Boolean).length;
    const label = count === 0 ? "" : `${print(first)}–${print(first + count - 1)}`;
    first += count;
    return label;
  });
}
