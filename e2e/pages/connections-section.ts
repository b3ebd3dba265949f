import type { Locator, Page } from "@playwright/test";

/** The connections in the settings, and the dialog that asks for a key. */
export class ConnectionsSection {
  readonly section: Locator;
  readonly dialog: Locator;
  readonly key: Locator;
  readonly baseUrl: Locator;
  readonly test: Locator;

  constructor(readonly page: Page) {
    this.section = page.getByRole("region", { name: "Connections" });
    this.dialog = page.getByRole("dialog");
    this.key = this.dialog.getByRole("textbox", { name: "API key" }).or(this.dialog.getByLabel(/^API key/));
    this.baseUrl = this.dialog.getByRole("textbox", { name: "Base URL" });
    this.test = this.dialog.getByRole("button", { name: "Test" });
  }

  async open(): Promise<void> {
    await this.page.goto("/settings/connections");
  }

  row(label: string): Locator {
    return this.section.getByRole("listitem", { name: label, exact: true });
  }

  /** Enters a key and an address in the open dialog. */
  async enter(key: string, baseUrl: string): Promise<void> {
    await this.key.first().fill(key);
    await this.baseUrl.fill(baseUrl);
  }

  save(label = "Save key"): Promise<void> {
    return this.dialog.getByRole("button", { name: label, exact: true }).click();
  }
}
