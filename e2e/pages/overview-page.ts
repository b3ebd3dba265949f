import type { Locator, Page } from "@playwright/test";

interface Point {
  x: number;
  y: number;
}

/** The canvas of a flow, zoomed out so far that it has no cards. Positions are in canvas pixels. */
export class OverviewPage {
  readonly canvas: Locator;
  readonly minimap: Locator;
  readonly cards: Locator;

  constructor(
    readonly page: Page,
    canvas = page.getByLabel("Flow canvas"),
  ) {
    this.canvas = canvas;
    this.minimap = page.getByTestId("minimap");
    this.cards = page.getByRole("article");
  }

  async hover(at: Point): Promise<void> {
    const { x, y } = await this.#onScreen(at);
    await this.page.mouse.move(x, y);
  }

  async click(at: Point): Promise<void> {
    const { x, y } = await this.#onScreen(at);
    await this.page.mouse.click(x, y);
  }

  async doubleClick(at: Point): Promise<void> {
    const { x, y } = await this.#onScreen(at);
    await this.page.mouse.dblclick(x, y);
  }

  /** Drags from one position to the other. */
  async drag(from: Point, to: Point): Promise<void> {
    const [start, end] = [await this.#onScreen(from), await this.#onScreen(to)];
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x, end.y, { steps: 6 });
    await this.page.mouse.up();
  }

  /** The label of the node that the keys act on. */
  activeLabel(): Promise<string | null> {
    return this.canvas.evaluate((canvas) => {
      const id = canvas.getAttribute("aria-activedescendant");
      return id === null ? null : (document.getElementById(id)?.getAttribute("aria-label") ?? null);
    });
  }

  #onScreen({ x, y }: Point): Promise<Point> {
    return this.canvas.locator(".react-flow__viewport").evaluate(
      (viewport, at) => {
        const { left, top } = viewport.parentElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
        const { a: zoom, e, f } = new DOMMatrix(getComputedStyle(viewport).transform);
        return { x: left + e + at.x * zoom, y: top + f + at.y * zoom };
      },
      { x, y },
    );
  }
}
