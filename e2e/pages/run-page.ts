import type { Locator, Page } from "@playwright/test";

/** The timeline of one run. */
export class RunPage {
  readonly steps: Locator;
  readonly detail: Locator;
  readonly cancel: Locator;

  constructor(readonly page: Page) {
    this.steps = page.getByRole("treegrid", { name: "Steps of the run" });
    this.detail = page.getByRole("region", { name: "Step" });
    this.cancel = page.getByRole("button", { name: "Cancel" });
  }

  async open(id: string): Promise<void> {
    await this.page.goto(`/runs/${id}`);
  }

  /** The rows whose accessible name begins so, e.g. `Agent planner`. */
  row(name: string): Locator {
    return this.steps
      .getByRole("row")
      .filter({ has: this.page.getByRole("gridcell", { name: new RegExp(`^${name}`) }) });
  }

  status(word: string): Locator {
    return this.page.getByText(word, { exact: true }).first();
  }

  async showTab(name: string): Promise<void> {
    await this.detail.getByRole("tab", { name }).click();
  }

  /** Where the bar of a row begins and ends, in pixels of the window. */
  async bar(row: Locator): Promise<{ from: number; to: number }> {
    const boxes = await Promise.all(
      (await row.locator("[data-segment]").all()).map((segment) => segment.boundingBox()),
    );
    const found = boxes.filter((box) => box !== null);
    return { from: Math.min(...found.map((box) => box.x)), to: Math.max(...found.map((box) => box.x + box.width)) };
  }
}
