import type { Locator, Page } from "@playwright/test";

/** What the canvas draws between cards, and how it looks. */
export class CanvasLinks {
  constructor(readonly page: Page) {}

  /** The line of a link, by its label. */
  line(label: string): Locator {
    return this.page.getByRole("img", { name: label, exact: true }).locator("path.link");
  }

  /** Where a line starts and ends, in canvas pixels. */
  async endsOf(label: string): Promise<{ start: number[]; end: number[] }> {
    return this.line(label).evaluate((line: SVGPathElement) => {
      const toPair = ({ x, y }: DOMPoint): number[] => [x, y];
      return {
        start: toPair(line.getPointAtLength(0)),
        end: toPair(line.getPointAtLength(line.getTotalLength())),
      };
    });
  }

  /** Of lines that overlap, the one in the higher layer is seen. */
  async layerOf(line: Locator): Promise<number> {
    return line.evaluate((path) => Number(getComputedStyle(path.closest("svg") ?? path).zIndex));
  }

  /** The contrast of a computed colour of an element against the canvas, by WCAG 2. */
  async contrast(element: Locator, property: "stroke" | "fill" | "borderTopColor"): Promise<number> {
    return element.first().evaluate((target, name) => {
      const luminance = (color: string): number => {
        const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((text) => {
          const part = Number(text) / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const canvas = target.closest(".canvas");
      if (!canvas) throw new Error("The element is not on a canvas.");
      const [dark = 0, light = 0] = [
        luminance(getComputedStyle(target)[name]),
        luminance(getComputedStyle(canvas).backgroundColor),
      ].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    }, property);
  }
}
