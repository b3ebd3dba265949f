import { expect, type Locator, type Page } from "@playwright/test";

/** The import dialog, on the list of flows or in the editor. */
export class ImportDialog {
  readonly dialog: Locator;
  readonly text: Locator;
  readonly file: Locator;
  readonly recognised: Locator;
  readonly picture: Locator;
  readonly problems: Locator;
  readonly losses: Locator;
  readonly lost: Locator;
  readonly kept: Locator;
  readonly create: Locator;
  readonly replace: Locator;
  readonly insert: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole("dialog", { name: "Import a flow" });
    this.text = this.dialog.getByRole("textbox", { name: "Text to import" });
    this.file = this.dialog.locator('input[type="file"]');
    this.recognised = this.dialog.getByRole("status");
    this.picture = this.dialog.getByRole("img", { name: /^Picture of/ });
    this.problems = this.dialog.getByRole("list", { name: "Problems of the import" });
    this.losses = this.dialog.getByRole("alert");
    this.lost = this.dialog.getByRole("list", { name: "Lost" });
    this.kept = this.dialog.getByText(/kept as text and never run/);
    this.create = this.dialog.getByRole("button", { name: "Create a new flow" });
    this.replace = this.dialog.getByRole("button", { name: "Replace this flow" });
    this.insert = this.dialog.getByRole("button", { name: "Insert into this flow" });
  }

  async openFromList(): Promise<void> {
    await this.page.goto("/");
    await this.page.getByRole("button", { name: "Import", exact: true }).click();
    await expect(this.text).toBeVisible();
  }

  async openFromEditor(): Promise<void> {
    await this.page.getByRole("button", { name: "More for this flow" }).click();
    await this.page.getByRole("menuitem", { name: "Import…" }).click();
    await expect(this.text).toBeVisible();
  }

  /** Opens a file with this name and text. */
  async choose(name: string, text: string): Promise<void> {
    await this.file.setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  }
}
