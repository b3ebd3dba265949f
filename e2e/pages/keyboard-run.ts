import { expect, type Locator, type Page } from "@playwright/test";
import { tabTo, walkTo } from "../fixtures/tab-to";
import { RunPage } from "./run-page";

/** The state of a run view that its URL restores. */
export interface RunPicture {
  view: string | null;
  step: string | null;
  rows: (string | null)[];
  axis: string;
  search: string;
  errorsOnly: string | null;
  moment: string | null;
}

/** The run page by keyboard only: nothing here clicks, and focus moves by Tab. */
export class KeyboardRun {
  readonly run: RunPage;
  readonly moment: Locator;
  readonly search: Locator;
  /** The row of the selected step. */
  readonly selected: Locator;

  constructor(readonly page: Page) {
    this.run = new RunPage(page);
    this.moment = page.getByRole("slider", { name: "Moment of the run" });
    this.search = page.getByRole("searchbox", { name: "Search steps" });
    this.selected = this.run.steps.getByRole("row", { selected: true });
  }

  /** From the list of runs to the newest one of a flow. */
  async openNewest(flow: string): Promise<void> {
    await this.page.goto("/runs");
    const link = this.page.getByRole("list", { name: "Runs" }).getByRole("link", { name: flow, exact: true });
    await tabTo(link.first());
    await this.press("Enter");
    await expect(this.page.getByRole("heading", { name: flow, level: 1 })).toBeVisible();
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  goTo(target: Locator): Promise<void> {
    return tabTo(target);
  }

  goToSteps(): Promise<void> {
    return tabTo(this.run.steps);
  }

  goBackToSteps(): Promise<void> {
    return walkTo(this.run.steps, "Shift+Tab");
  }

  view(name: string): Locator {
    return this.page.getByRole("group", { name: "View" }).getByRole("button", { name });
  }

  async switchTo(view: string): Promise<void> {
    await tabTo(this.view(view));
    await this.press("Enter");
    await expect(this.view(view)).toHaveAttribute("aria-pressed", "true");
  }

  /** Opens a tab of the selected step. */
  async openTab(name: string): Promise<void> {
    const tab = this.run.detail.getByRole("tab", { name });
    await tabTo(this.run.detail.getByRole("tab", { selected: true }));
    if ((await tab.count()) === 0) {
      await tabTo(this.run.moreTabs);
      await this.press("Enter");
      await walkTo(this.page.getByRole("menuitem", { name }), "ArrowDown");
    } else await walkTo(tab, "ArrowRight");
    await this.press("Enter");
    await expect(tab).toHaveAttribute("aria-selected", "true");
  }

  /** Moves the playhead by keys of its slider. */
  async moveMoment(...keys: string[]): Promise<void> {
    await tabTo(this.moment);
    await this.press(...keys);
  }

  /** The row of the whole run shows this status. */
  async expectRootStatus(status: string): Promise<void> {
    const cell = this.run.steps.getByRole("row").nth(1).getByRole("gridcell").first();
    await expect(cell).toHaveAccessibleName(new RegExp(`^Swarm .+, ${status}`));
  }

  /** One step is selected, and its row has this name. */
  async expectSelected(name: RegExp): Promise<void> {
    await expect(this.selected.getByRole("gridcell").first()).toHaveAccessibleName(name);
  }

  /** Waits until this many more steps have arrived. */
  async rowsAfter(more: number): Promise<void> {
    const count = async (): Promise<number> => Number(await this.run.steps.getAttribute("aria-rowcount"));
    const before = await count();
    await expect.poll(count, { timeout: 30_000 }).toBeGreaterThanOrEqual(before + more);
  }

  /** Waits for more rows than fit, with the newest in view; on a busy machine the very last ones appear a moment later. */
  async expectFollowed(): Promise<void> {
    await this.rowsAfter(30);
    const left = (): Promise<number> =>
      this.run.steps.evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
        scrollHeight > clientHeight
          ? (scrollHeight - scrollTop - clientHeight) / clientHeight
          : Number.POSITIVE_INFINITY,
      );
    await expect.poll(left, { intervals: [50], timeout: 5000 }).toBeLessThan(0.5);
  }

  /** The current view state, after the URL contains all of it: the playhead is written there when it stops. */
  async picture(): Promise<RunPicture> {
    const cells = this.run.steps.getByRole("gridcell");
    const pressed = this.page.getByRole("group", { name: "View" }).getByRole("button", { pressed: true });
    const named = async (locator: Locator): Promise<(string | null)[]> =>
      locator.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    return {
      view: await pressed.getAttribute("aria-label"),
      step: await this.run.detail.getByRole("heading", { level: 2 }).textContent(),
      rows: (await named(cells)).filter((name) => name !== null),
      axis: await this.page.getByRole("columnheader", { name: "When" }).innerText(),
      search: await this.search.inputValue(),
      errorsOnly: await this.page.getByRole("button", { name: "Errors only" }).getAttribute("aria-pressed"),
      moment: await this.moment.getAttribute("aria-valuetext"),
    };
  }
}
