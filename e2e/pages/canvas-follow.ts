import { expect, type Locator, type Page } from "@playwright/test";
import { EditorPage } from "./editor-page";

/** The canvas of a flow while a run of it goes on. */
export class CanvasFollow {
  readonly button: Locator;
  readonly canvas: Locator;
  readonly #editor: EditorPage;

  constructor(readonly page: Page) {
    this.button = page.getByRole("button", { name: /^Follow(ing)? the run$/ });
    this.canvas = page.locator("#flow-canvas");
    this.#editor = new EditorPage(page);
  }

  async expectPressed(isFollowing: boolean): Promise<void> {
    await expect(this.button).toHaveAttribute("aria-pressed", `${isFollowing}`);
  }

  /** The agent's card comes to be entirely inside of the canvas. */
  async expectInView(agent: string): Promise<void> {
    await expect.poll(() => this.#isInView(agent)).toBe(true);
  }

  async expectNotInView(agent: string): Promise<void> {
    await expect.poll(() => this.#isInView(agent)).toBe(false);
  }

  /** What the canvas shows, as the style that moves and scales its content. */
  async viewport(): Promise<string | null> {
    return this.canvas.locator(".react-flow__viewport").getAttribute("style");
  }

  /** The canvas mounts only cards that are in view. */
  async #isInView(agent: string): Promise<boolean> {
    const card = this.#editor.card(agent);
    if ((await card.count()) === 0) return false;
    const [canvas, box] = [await this.canvas.boundingBox(), await card.boundingBox()];
    if (!canvas || !box) return false;
    return (
      box.x >= canvas.x &&
      box.y >= canvas.y &&
      box.x + box.width <= canvas.x + canvas.width &&
      box.y + box.height <= canvas.y + canvas.height
    );
  }
}
