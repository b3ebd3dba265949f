import { expect, type Locator, type Page } from "@playwright/test";
import { holdScript } from "../fixtures/hold-script";

/** The flow bar with its editor. */
export class FlowBar {
  readonly refusal: Locator;
  readonly goBack: Locator;
  readonly offers: Locator;
  /** Names that are highlighted because they are selected. */
  readonly marked: Locator;

  constructor(readonly page: Page) {
    this.refusal = page.getByRole("alert").filter({ has: page.getByRole("button", { name: "Go back" }) });
    this.goBack = page.getByRole("button", { name: "Go back" });
    this.offers = page.getByRole("listbox", { name: "Completions" }).getByRole("option");
    this.marked = this.of(null).locator(".cm-dsl-marked");
  }

  /** The line of a group, swarm or loop; null: the root's. */
  of(owner: string | null): Locator {
    return this.page.getByRole("textbox", { name: owner === null ? "Flow" : `Flow of ${owner}`, exact: true });
  }

  word(name: string, owner: string | null = null): Locator {
    return this.of(owner).getByText(name, { exact: true });
  }

  /** Waits until the editor has replaced the plain field. */
  async ready(): Promise<void> {
    await expect(this.of(null)).toHaveAttribute("contenteditable", "true");
  }

  /** Keeps the editor from being loaded until the returned function is called. */
  holdBack(): Promise<() => void> {
    // The editor's name for its fixes.
    return holdScript(this.page, "input.fix");
  }
}
