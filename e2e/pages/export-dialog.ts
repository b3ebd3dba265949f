import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";

/** The export dialog of the editor. */
export class ExportDialog {
  readonly dialog: Locator;
  readonly formats: Locator;
  readonly text: Locator;
  readonly picture: Locator;
  readonly notes: Locator;
  readonly download: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole("dialog", { name: "Export this flow" });
    this.formats = this.dialog.getByRole("group", { name: "Format" }).locator("label");
    this.text = this.dialog.getByRole("textbox", { name: /^Text of/ });
    this.picture = this.dialog.getByRole("img", { name: /^Picture of/ });
    this.notes = this.dialog.getByRole("list", { name: "Limitations of this format" });
    this.download = this.dialog.getByRole("button", { name: "Download" });
  }

  async open(): Promise<void> {
    await this.page.getByRole("button", { name: "More for this flow" }).click();
    await this.page.getByRole("menuitem", { name: "Export…" }).click();
    await expect(this.download).toBeVisible();
  }

  async choose(format: string): Promise<void> {
    // The radio buttons themselves are for keyboards and screen readers; users click their labels.
    await this.dialog.getByText(format, { exact: true }).click();
    await expect(this.dialog.getByRole("radio", { name: format, exact: true })).toBeChecked();
  }

  /** Downloads the selected format; returns file name and bytes. */
  async save(): Promise<{ name: string; bytes: Buffer }> {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.download.click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }
}
