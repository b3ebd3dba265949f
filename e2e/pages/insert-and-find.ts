import { expect, type Locator, type Page } from "@playwright/test";

/** Inserting and searching in the editor. */
export class InsertAndFind {
  readonly canvas: Locator;
  readonly palette: Locator;
  readonly insert: Locator;
  readonly templates: Locator;
  readonly search: Locator;
  readonly find: Locator;
  readonly replaceWith: Locator;
  readonly found: Locator;

  constructor(readonly page: Page) {
    this.canvas = page.locator("#flow-canvas");
    this.palette = page.getByRole("dialog", { name: "Commands" });
    this.insert = page.getByRole("dialog", { name: "Insert", exact: true });
    this.templates = page.getByRole("dialog", { name: "Insert a template" });
    this.search = page.getByRole("search", { name: "Find in this flow" });
    this.find = this.search.getByRole("textbox", { name: "Find", exact: true });
    this.replaceWith = this.search.getByRole("textbox", { name: "Replace with" });
    this.found = this.search.getByRole("list", { name: "Matches" }).getByRole("listitem");
  }

  /** Picks the first matching entry with the keyboard. */
  async pick(list: Locator, words: string): Promise<void> {
    await expect(list.getByRole("combobox")).toBeFocused();
    await this.page.keyboard.type(words);
    await expect(list.getByRole("option", { selected: true })).toBeVisible();
    await this.page.keyboard.press("Enter");
  }
}
