import { expect, type Locator, type Page } from "@playwright/test";

/** The timeline of one run. */
export class RunPage {
  readonly steps: Locator;
  readonly detail: Locator;
  /** The tab of the step that is open. */
  readonly panel: Locator;
  readonly moreTabs: Locator;
  readonly cancel: Locator;
  readonly pause: Locator;
  readonly resume: Locator;

  constructor(readonly page: Page) {
    this.steps = page.getByRole("treegrid", { name: "Steps of the run" });
    this.detail = page.getByRole("region", { name: "Step" });
    this.panel = this.detail.locator("[role=tabpanel]:not([inert])");
    this.moreTabs = this.detail.getByRole("button", { name: "More about the step" });
    this.cancel = page.getByRole("button", { name: "Cancel" });
    this.pause = page.getByRole("button", { name: "Pause", exact: true });
    this.resume = page.getByRole("button", { name: "Resume", exact: true });
  }

  async open(id: string): Promise<void> {
    await this.page.goto(`/runs/${id}`);
  }

  /** The rows by the beginning of their accessible name, e.g. `Agent planner`. */
  row(name: string): Locator {
    return this.steps
      .getByRole("row")
      .filter({ has: this.page.getByRole("gridcell", { name: new RegExp(`^${name}`) }) });
  }

  status(word: string): Locator {
    return this.page.getByText(word, { exact: true }).first();
  }

  /** Opens a tab of the step, by the menu when it is one of those that have no room. */
  async showTab(name: string): Promise<void> {
    await expect(this.detail.getByRole("tab").first()).toBeVisible();
    const tab = this.detail.getByRole("tab", { name, exact: true });
    if ((await tab.count()) === 0) {
      await this.moreTabs.click();
      await this.page.getByRole("menuitem", { name, exact: true }).click();
    } else await tab.click();
    await expect(tab).toHaveAttribute("aria-selected", "true");
  }

  /** Start and end of the step of a row, from its displayed time, in milliseconds from the start of the run. */
  async times(row: Locator): Promise<{ from: number; to: number }> {
    const label = await row.getByRole("gridcell", { name: /started after/ }).getAttribute("aria-label");
    const [time = "", began = ""] = (label ?? "").split(", started after ");
    return { from: toMs(began), to: toMs(began) + toMs(time) };
  }
}

/** Milliseconds of `840 ms`, `2.4 s`, `1 m 05 s`. */
function toMs(text: string): number {
  const units = new Map([
    ["ms", 1],
    ["s", 1000],
    ["m", 60_000],
    ["h", 3_600_000],
  ]);
  return [...text.matchAll(/([\d.]+) (ms|s|m|h)\b/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * (units.get(unit ?? "") ?? 0),
    0,
  );
}
