import type { Locator, Page } from "@playwright/test";
import { RunPage } from "./run-page";

/** The details of one step, next to the tree of steps; and above both the reason why the run failed. */
export class StepPanel {
  readonly run: RunPage;
  readonly detail: Locator;
  readonly trouble: Locator;
  readonly panel: Locator;
  readonly loadAll: Locator;
  readonly download: Locator;

  constructor(readonly page: Page) {
    this.run = new RunPage(page);
    this.detail = this.run.detail;
    this.trouble = page.getByRole("alert").filter({ has: page.getByRole("button", { name: "Show step" }) });
    this.panel = this.run.panel;
    this.loadAll = this.panel.getByRole("button", { name: "Load all" });
    this.download = this.panel.getByRole("button", { name: "Download" });
  }

  /** Opens a run and selects its first step whose name begins with a text. */
  async open(runId: string, step: string): Promise<void> {
    await this.run.open(runId);
    await this.select(step);
  }

  async select(step: string, place = 0): Promise<void> {
    await this.run.row(step).nth(place).click();
  }

  async showTab(name: string): Promise<void> {
    await this.run.showTab(name);
  }

  /** The value of a name in the list of facts. */
  fact(name: string): Locator {
    return this.panel.locator("dt", { hasText: new RegExp(`^${name}$`) }).locator("xpath=following-sibling::dd");
  }
}
