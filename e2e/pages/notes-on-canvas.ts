import { expect, type Locator, type Page } from "@playwright/test";
import { EditorPage } from "./editor-page";

/** The notes of a flow on its canvas. */
export class NotesOnCanvas {
  readonly editor: EditorPage;
  readonly canvas: Locator;
  readonly all: Locator;
  readonly writing: Locator;

  constructor(readonly page: Page) {
    this.editor = new EditorPage(page);
    this.canvas = page.locator("#flow-canvas");
    this.all = page.getByRole("article", { name: /^Note: / });
    this.writing = page.getByRole("textbox", { name: "Text of the note" });
  }

  /** A note by its first words. */
  note(words: string): Locator {
    return this.page.getByRole("article", { name: `Note: ${words}`, exact: true });
  }

  /** Adds a note and edits it with the keyboard alone. */
  async write(words: string): Promise<void> {
    await this.canvas.focus();
    await this.page.keyboard.press("t");
    await expect(this.writing).toBeFocused();
    await this.page.keyboard.type(words);
    await this.page.keyboard.press("Escape");
    await expect(this.canvas).toBeFocused();
    await expect(this.note(words)).toHaveAttribute("aria-current", "true");
  }

  /** Drags from a position in a note, as fractions of its size, by a number of pixels. */
  async drag(words: string, from: { x: number; y: number }, by: { x: number; y: number }): Promise<void> {
    const box = await this.editor.boxOf(this.note(words));
    const start = { x: box.x + box.width * from.x, y: box.y + box.height * from.y };
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(start.x + by.x / 2, start.y + by.y / 2, { steps: 4 });
    await this.page.mouse.move(start.x + by.x, start.y + by.y, { steps: 4 });
    await this.page.mouse.up();
  }
}
