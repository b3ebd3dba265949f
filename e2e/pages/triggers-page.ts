import type { Locator, Page } from "@playwright/test";

/** The schedules and webhooks of all flows. */
export class TriggersPage {
  readonly schedules: Locator;
  readonly webhooks: Locator;
  readonly dialog: Locator;

  constructor(readonly page: Page) {
    this.schedules = page.getByRole("region", { name: "Schedules" });
    this.webhooks = page.getByRole("region", { name: "Webhooks" });
    this.dialog = page.getByRole("dialog");
  }

  async open(flow?: string): Promise<void> {
    await this.page.goto(flow === undefined ? "/triggers" : `/triggers?flow=${flow}`);
  }

  row(name: string): Locator {
    return this.page.getByRole("listitem", { name, exact: true });
  }

  field(name: string): Locator {
    return this.dialog.getByLabel(name, { exact: true });
  }

  /** The value under a name in the dialog that shows a secret. */
  async readValue(name: string): Promise<string> {
    return this.dialog.getByRole("definition").nth(["Secret", "Address"].indexOf(name)).innerText();
  }
}
