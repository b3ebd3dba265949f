import { expect, type Locator, type Page } from "@playwright/test";
import { tabTo } from "../fixtures/tab-to";

/** The editor by keyboard only: nothing here clicks, and focus moves by Tab. */
export class KeyboardEditor {
  readonly canvas: Locator;
  readonly outline: Locator;
  /** The card that the keys act on. */
  readonly activeCard: Locator;
  /** The announcements for screen readers. */
  readonly announcements: Locator;
  readonly #name: Locator;

  constructor(readonly page: Page) {
    this.canvas = page.getByLabel("Flow canvas");
    this.outline = page.getByRole("tree", { name: "Outline of the flow" });
    this.activeCard = page.locator("article[data-active]");
    this.announcements = page.getByRole("status", { name: "Announcements" });
    this.#name = page.getByRole("textbox", { name: "Name", exact: true });
  }

  /** From the list of flows to the editor of a new, empty one; returns its id. */
  async openNew(): Promise<string> {
    await this.page.goto("/");
    await this.goTo(this.page.getByRole("button", { name: "New flow" }));
    await this.press("Enter");
    await this.page.waitForURL(/\/flows\//);
    return this.page.url().split("/").at(-1) ?? "";
  }

  /** Presses Tab until the focus is there. */
  goTo(target: Locator): Promise<void> {
    return tabTo(target);
  }

  goToCanvas(): Promise<void> {
    return this.goTo(this.canvas);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Replaces the content of the focused field. */
  async write(text: string): Promise<void> {
    await this.press("Control+a");
    await this.page.keyboard.type(text);
  }

  /** Renames the selected node from the canvas. */
  async rename(name: string): Promise<void> {
    await expect(this.activeCard).toHaveCount(1);
    await this.press("Enter");
    await expect(this.#name).toBeFocused();
    await this.write(name);
    await this.press("Enter");
    await expect(this.activeCard).toHaveAccessibleName(`Agent ${name}`);
  }

  /** Escape from a field of the inspector; a list that is just about to open there takes the first one. */
  async backToCanvas(): Promise<void> {
    await expect(async () => {
      await this.press("Escape");
      await expect(this.canvas).toBeFocused({ timeout: 1000 });
    }).toPass({ timeout: 15_000 });
  }
}
