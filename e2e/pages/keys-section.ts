import type { Locator, Page } from "@playwright/test";

/** The API keys of a team, in Settings. */
export class KeysSection {
  readonly section: Locator;
  readonly newKey: Locator;
  readonly dialog: Locator;
  readonly name: Locator;
  readonly make: Locator;
  readonly secret: Locator;
  readonly done: Locator;

  constructor(readonly page: Page) {
    this.section = page.getByRole("region", { name: "API keys" });
    this.newKey = this.section.getByRole("button", { name: "New key" });
    this.dialog = page.getByRole("dialog");
    this.name = this.dialog.getByRole("textbox", { name: "Name" });
    this.make = this.dialog.getByRole("button", { name: "Make key" });
    this.secret = this.dialog.getByText(/^swl_[\w-]{43}$/);
    this.done = this.dialog.getByRole("button", { name: "I have copied it" });
  }

  async open(): Promise<void> {
    await this.page.goto("/settings/access#keys");
  }

  key(name: string): Locator {
    return this.section.getByRole("listitem", { name });
  }

  scope(name: string): Locator {
    return this.dialog.getByRole("checkbox", { name });
  }
}
