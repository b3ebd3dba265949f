import type { Locator, Page } from "@playwright/test";

/** Two to six runs side by side. */
export class ComparePage {
  readonly runs: Locator;
  readonly steps: Locator;
  readonly flow: Locator;
  readonly output: Locator;
  readonly stepOutput: Locator;
  readonly onlyDifferences: Locator;

  constructor(readonly page: Page) {
    this.runs = page.getByRole("region", { name: "Runs", exact: true });
    this.steps = page.getByRole("treegrid", { name: "Steps of the runs" });
    this.flow = page.getByRole("region", { name: "Flow" });
    this.output = page.getByRole("region", { name: "Final output" });
    this.stepOutput = page.getByRole("region", { name: "Output of the step" });
    this.onlyDifferences = page.getByRole("button", { name: "Only differences" });
  }

  async open(runs: readonly string[]): Promise<void> {
    await this.page.goto(`/runs/compare?runs=${runs.join()}`);
  }

  /** The row of a step by the beginning of its name, e.g. `Agent a`. */
  row(name: string): Locator {
    return this.steps
      .getByRole("row")
      .filter({ has: this.page.getByRole("rowheader", { name: new RegExp(`^${name}`) }) });
  }

  /** A row of the table of figures. */
  figures(name: string): Locator {
    return this.page.getByRole("row").filter({ has: this.page.getByRole("rowheader", { name, exact: true }) });
  }
}
