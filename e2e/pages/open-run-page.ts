import type { Locator, Page } from "@playwright/test";
import type { RunPage } from "./run-page";
import { StepPanel } from "./step-panel";

/** The page that opens the file of a run. */
export class OpenRunPage {
  readonly run: RunPage;
  readonly step: StepPanel;
  readonly file: Locator;
  readonly choose: Locator;
  readonly another: Locator;
  readonly heading: Locator;
  /** The problem of the file that was opened last. */
  readonly problem: Locator;

  constructor(readonly page: Page) {
    this.step = new StepPanel(page);
    this.run = this.step.run;
    this.file = page.getByLabel("Run file to open");
    this.choose = page.getByRole("button", { name: "Choose a file" });
    this.another = page.getByRole("button", { name: "Open another file" });
    this.heading = page.getByRole("heading", { level: 1 });
    this.problem = page.getByRole("region", { name: "Run file" }).getByRole("alert");
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/runs/open${query}`);
    await this.choose.waitFor();
  }

  /** Opens this text as a file. */
  async give(text: string, name = "run.json"): Promise<void> {
    await this.file.setInputFiles(toFile(text, name));
  }

  /** Drops this text as a file on the page. */
  async drop(text: string, name = "run.json"): Promise<void> {
    const dataTransfer = await this.page.evaluateHandle(
      ({ text, name }) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name, { type: "application/json" }));
        return data;
      },
      { text, name },
    );
    const region = this.page.getByRole("region", { name: "Run file" });
    await region.dispatchEvent("dragover", { dataTransfer });
    await region.dispatchEvent("drop", { dataTransfer });
  }

  view(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }
}

export const toFile = (text: string, name: string) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(text),
});
