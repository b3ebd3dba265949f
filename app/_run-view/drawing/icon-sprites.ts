import type { RunNodeKind } from "@/lib/core/run/events/events";
import type { ShownStatus } from "@/lib/core/run/events/run-status";

export type RowIcon = "open" | "closed" | "warning" | "parallel" | RunNodeKind | ShownStatus;

const [units, line] = [24, 2];

export class IconSprites {
  readonly #paths = new Map<string, Path2D>();
  readonly #sprites = new Map<string, ImageBitmap>();

  constructor(source: Element) {
    for (const element of source.querySelectorAll<Element>("[data-icon]")) {
      const svg = element.matches("svg") ? element : element.querySelector("svg");
      if (svg) this.#paths.set(element.getAttribute("data-icon") ?? "", toPath(svg));
    }
  }

  /** The icon, `size` CSS px wide on a screen of `ratio` pixels for each. */
  take(icon: RowIcon, color: string, size: number, ratio: number): ImageBitmap {
    const key = `${icon} ${color} ${size} ${ratio}`;
    const cached = this.#sprites.get(key);
    if (cached) return cached;
    const pixels = Math.ceil(size * ratio);
    const canvas = new OffscreenCanvas(pixels, pixels);
    const context = canvas.getContext("2d");
    const path = this.#paths.get(icon);
    if (context && path) {
      context.scale(pixels / units, pixels / units);
      context.lineWidth = line;
      context.lineCap = "round";
      context.lineJoin = "round";
      context.strokeStyle = color;
      context.stroke(path);
    }
    const sprite = canvas.transferToImageBitmap();
    this.#sprites.set(key, sprite);
    return sprite;
  }
}

function toPath(svg: Element): Path2D {
  const path = new Path2D();
  for (const shape of svg.children) {
    const attribute = (name: string): number => Number(shape.getAttribute(name) ?? 0);
    if (shape.tagName === "path") path.addPath(new Path2D(shape.getAttribute("d") ?? ""));
    else if (shape.tagName === "circle") {
      path.moveTo(attribute("cx") + attribute("r"), attribute("cy"));
      path.arc(attribute("cx"), attribute("cy"), attribute("r"), 0, 2 * Math.PI);
    } else if (shape.tagName === "rect")
      path.roundRect(attribute("x"), attribute("y"), attribute("width"), attribute("height"), attribute("rx"));
    else if (shape.tagName === "line") {
      path.moveTo(attribute("x1"), attribute("y1"));
      path.lineTo(attribute("x2"), attribute("y2"));
    } else if (shape.tagName === "polyline") path.addPath(new Path2D(`M${shape.getAttribute("points") ?? ""}`));
  }
  return path;
}
