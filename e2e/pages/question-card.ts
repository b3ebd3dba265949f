import type { Locator, Page } from "@playwright/test";

/** A question of a step to a user, on the run page or in the editor's run panel. */
export class QuestionCard {
  readonly card: Locator;
  readonly text: Locator;
  /** Invisible characters of the text. */
  readonly note: Locator;
  readonly reason: Locator;
  readonly approve: Locator;
  readonly reject: Locator;

  constructor(
    readonly page: Page,
    step: string,
  ) {
    this.card = page.getByRole("article", { name: `Question of ${step}`, exact: true });
    this.text = this.card.getByRole("textbox", { name: "Text; edit it before you approve" });
    this.note = this.card.getByRole("note");
    this.reason = this.card.getByRole("textbox", { name: "Reason for rejecting" });
    this.approve = this.card.getByRole("button", { name: "Approve" });
    this.reject = this.card.getByRole("button", { name: "Reject" });
  }
}
