import type { Locator, Page } from "@playwright/test";

/** The settings that apply to all runs. */
export class SettingsPage {
  readonly address: Locator;
  readonly texts: Locator;
  readonly enabled: Locator;
  readonly addHeader: Locator;
  readonly save: Locator;
  readonly test: Locator;
  readonly answer: Locator;

  constructor(readonly page: Page) {
    this.address = page.getByRole("textbox", { name: "Endpoint" });
    this.texts = page.getByRole("checkbox", { name: "Include texts" });
    this.enabled = page.getByRole("checkbox", { name: "Send runs when they end" });
    this.addHeader = page.getByRole("button", { name: "Add a header" });
    this.save = page.locator("#trace-export").getByRole("button", { name: "Save" });
    this.test = page.getByRole("button", { name: "Send a test span" });
    this.answer = page.getByRole("status").filter({ hasText: /./ });
  }

  async open(): Promise<void> {
    await this.page.goto("/settings/connections");
  }

  header(place: number): Locator {
    return this.page.getByRole("textbox", { name: `Header ${place}`, exact: true });
  }

  variable(place: number): Locator {
    return this.page.getByRole("textbox", { name: `Variable of header ${place}` });
  }
}
