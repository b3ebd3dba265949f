import type { Locator, Page } from "@playwright/test";

/** The list of runs with its filters, totals and charts. */
export class RunListPage {
  readonly rows: Locator;
  readonly search: Locator;
  readonly totals: Locator;
  readonly dayTable: Locator;
  readonly compare: Locator;

  constructor(readonly page: Page) {
    this.rows = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
    this.search = page.getByRole("searchbox", { name: "Search inputs and outputs" });
    this.totals = page.getByRole("region", { name: "Totals" });
    this.dayTable = page.getByRole("table", { name: "Runs by day" });
    this.compare = page.getByRole("link", { name: "Compare", exact: true });
  }

  async open(query: Record<string, string> = {}): Promise<void> {
    await this.page.goto(`/runs?${new URLSearchParams(query)}`);
  }

  filter(name: string): Locator {
    return this.page.getByRole("combobox", { name, exact: true });
  }

  /** A figure of the totals, by its name. */
  figure(name: string): Locator {
    return this.totals.getByRole("definition").and(this.totals.locator(`dt:text-is("${name}") + dd`));
  }

  box(row: Locator): Locator {
    return row.getByRole("checkbox");
  }
}
