import type { Locator, Page } from "@playwright/test";

/** The list of flows, where new ones begin. */
export class FlowsPage {
  readonly fromTemplate: Locator;
  readonly gallery: Locator;

  constructor(readonly page: Page) {
    this.fromTemplate = page.getByRole("button", { name: "Templates" });
    this.gallery = page.getByRole("dialog", { name: "New flow from a template" });
  }

  async open(): Promise<void> {
    await this.page.goto("/");
  }

  /** From the gallery to the editor of a new flow; `template` shows one construct. */
  async choose(template: string): Promise<void> {
    await this.fromTemplate.click();
    await this.gallery.getByRole("button", { name: "By construct" }).click();
    await this.gallery.getByRole("button", { name: `Use it: ${template}` }).click();
    await this.page.waitForURL(/\/flows\//);
  }
}
