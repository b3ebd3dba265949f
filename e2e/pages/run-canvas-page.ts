import { expect, type Locator, type Page } from "@playwright/test";
import { OverviewPage } from "./overview-page";

declare global {
  interface Window {
    __ready?: number;
  }
}

/** The canvas of a run on a separate page. */
export class RunCanvasPage {
  readonly canvas: Locator;
  readonly overview: OverviewPage;
  readonly cards: Locator;
  /** The card that the keys act on. */
  readonly activeCard: Locator;
  /** The selection that the page was informed of. */
  readonly selected: Locator;
  readonly selectLast: Locator;
  readonly zoomIn: Locator;
  readonly zoomOut: Locator;
  readonly fit: Locator;

  constructor(readonly page: Page) {
    this.canvas = page.getByLabel("Canvas of this run", { exact: true });
    this.overview = new OverviewPage(page, this.canvas);
    this.cards = page.getByRole("article");
    this.activeCard = page.locator("article[data-active]");
    this.selected = page.getByRole("status", { name: "Selected" });
    this.selectLast = page.getByRole("button", { name: "Select the last" });
    this.zoomIn = page.getByRole("button", { name: "Zoom in" });
    this.zoomOut = page.getByRole("button", { name: "Zoom out" });
    this.fit = page.getByRole("button", { name: "Fit view" });
  }

  async open(query: string): Promise<void> {
    await this.page.goto(`/bench/run-canvas?${query}`);
    await expect.poll(() => this.page.evaluate(() => window.__ready)).toBeDefined();
  }

  card(label: string): Locator {
    return this.page.getByRole("article", { name: label, exact: true });
  }

  async boxOf(card: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
    const box = await card.boundingBox();
    if (!box) throw new Error("The card is not on screen.");
    return box;
  }

  /** Distance of two cards in screen pixels: moving the view does not change it. */
  async distance(from: string, to: string): Promise<{ x: number; y: number }> {
    const [a, b] = [await this.boxOf(this.card(from)), await this.boxOf(this.card(to))];
    return { x: Math.round(b.x - a.x), y: Math.round(b.y - a.y) };
  }

  /** Drags a card. */
  async dragCard(label: string, by: { x: number; y: number }): Promise<void> {
    const { x, y, width } = await this.boxOf(this.card(label));
    const [fromX, fromY] = [x + width / 2, y + 12];
    await this.page.mouse.move(fromX, fromY);
    await this.page.mouse.down();
    await this.page.mouse.move(fromX + by.x, fromY + by.y, { steps: 6 });
    await this.page.mouse.up();
  }

  /** Presses Tab until the canvas has the focus. */
  async goToCanvas(): Promise<void> {
    await expect(async () => {
      await this.page.keyboard.press("Tab");
      await expect(this.canvas).toBeFocused({ timeout: 100 });
    }).toPass();
  }

  /** Screen pixels per canvas pixel. */
  zoom(): Promise<number> {
    return this.canvas
      .locator(".react-flow__viewport")
      .evaluate((viewport) => new DOMMatrix(getComputedStyle(viewport).transform).a);
  }

  /** The zoom after the camera has stopped. */
  async settledZoom(): Promise<number> {
    let last = await this.zoom();
    let same = 0;
    await expect(async () => {
      const before = last;
      last = await this.zoom();
      same = last === before ? same + 1 : 0;
      expect(same).toBeGreaterThanOrEqual(3);
    }).toPass({ intervals: [120] });
    return last;
  }
}
