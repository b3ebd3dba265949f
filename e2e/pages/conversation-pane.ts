import type { Locator, Page } from "@playwright/test";

/** The conversation of a run, on its benchmark page. */
export class ConversationPane {
  readonly grid: Locator;
  readonly cells: Locator;
  readonly selected: Locator;
  readonly agents: Locator;
  readonly filter: Locator;

  constructor(readonly page: Page) {
    this.grid = page.getByRole("grid", { name: "Conversation" });
    this.cells = this.grid.getByRole("gridcell");
    this.selected = this.grid.getByRole("row", { selected: true });
    this.agents = page.getByRole("list", { name: "Agents" });
    this.filter = page.getByRole("combobox", { name: "Agent" });
  }

  async open(query: string): Promise<void> {
    await this.page.goto(`/bench/conversation?${query}`);
    await this.cells.first().waitFor();
  }

  /** One turn by its number. */
  turn(id: number): Locator {
    return this.page.locator(`#turn-${id}`);
  }

  /** Scroll position in px. */
  scrolled(): Promise<number> {
    return this.grid.evaluate((element) => element.scrollTop);
  }

  async scrollTo(top: number): Promise<void> {
    await this.grid.evaluate((element, to) => element.scrollTo(0, to), top);
  }
}
