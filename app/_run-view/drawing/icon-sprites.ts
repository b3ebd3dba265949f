import type { RunNodeKind } from "@/lib/core/run/events/events";
import type { ShownStatus } from "@/lib/core/run/events/run-status";

export type RowIcon = "open" | "closed" | "warning" | "parallel" | RunNodeKind | ShownStatus;

/** The square with the initials of an agent; hollow: of one that has no step. */
export interface AgentTile {
  initials: string;
  color: string;
  textColor: string;
  font: string;
  isHollow: boolean;
}

const [units, line] = [24, 2];
/** Sprites that are kept; a run may have very many agents. */
const most = 1000;
const corner = 5;
const outline = 1.5;

/** Pictures that rows repeat, each drawn once: to copy one costs much less than to draw it. */
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
    return this.#compute(`${icon} ${color}`, size, ratio, (context) => {
      const path = this.#paths.get(icon);
      if (!path) return;
      context.scale(size / units, size / units);
      context.lineWidth = line;
      context.lineCap = "round";
      context.lineJoin = "round";
      context.strokeStyle = color;
      context.stroke(path);
    });
  }

  /** The tile, `size` CSS px wide on a screen of `ratio` pixels for each. */
  takeTile(tile: AgentTile, size: number, ratio: number): ImageBitmap {
    const { initials, color, textColor, font, isHollow } = tile;
    return this.#compute(`tile ${initials} ${color} ${isHollow}`, size, ratio, (context) => {
      const inset = isHollow ? outline / 2 : 0;
      context.beginPath();
      context.roundRect(inset, inset, size - 2 * inset, size - 2 * inset, corner);
      context.fillStyle = color;
      context.strokeStyle = color;
      context.lineWidth = outline;
      if (isHollow) context.stroke();
      else context.fill();
      context.font = font;
      context.textAlign = "center";
      context.textBaseline = "middle";
      if (!isHollow) context.fillStyle = textColor;
      context.fillText(initials, size / 2, size / 2);
    });
  }

  #compute(
    name: string,
    size: number,
    ratio: number,
    draw: (context: OffscreenCanvasRenderingContext2D) => void,
  ): ImageBitmap {
    const key = `${name} ${size} ${ratio}`;
    const cached = this.#sprites.get(key);
    if (cached) return cached;
    if (this.#sprites.size >= most) this.#sprites.clear();
    const pixels = Math.ceil(size * ratio);
    const canvas = new OffscreenCanvas(pixels, pixels);
    const context = canvas.getContext("2d");
    if (context) {
      context.scale(pixels / size, pixels / size);
      draw(context);
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
