import { expect, type Locator, type Page } from "@playwright/test";
import { EditorPage } from "./editor-page";

/** The inspector of the editor: the form of the selected node. */
export class InspectorPanel {
  readonly editor: EditorPage;
  readonly model: Locator;
  readonly instructions: Locator;
  readonly tools: Locator;
  readonly structuredOutput: Locator;
  readonly advanced: Locator;
  readonly temperature: Locator;

  constructor(readonly page: Page) {
    this.editor = new EditorPage(page);
    this.model = page.getByRole("combobox", { name: "Model", exact: true });
    this.instructions = page.getByRole("textbox", { name: "Instructions" });
    this.tools = page.getByRole("list", { name: "Tools" });
    this.structuredOutput = page.getByText("JSON schema", { exact: true });
    this.advanced = page.getByText("Temperature, timeout");
    this.temperature = page.getByRole("textbox", { name: "Temperature" });
  }

  /** Selects an agent and shows its form. */
  async show(agent: string): Promise<void> {
    await this.editor.card(agent).click();
    await this.page.keyboard.press("Enter");
    await expect(this.editor.name).toHaveValue(agent);
  }

  /** Shows the form of the last agent by keyboard: on a narrow screen it is a separate pane. */
  async showLast(agent: string): Promise<void> {
    const canvas = this.page.locator("#flow-canvas");
    await canvas.focus();
    await this.page.keyboard.press("End");
    await expect(this.editor.card(agent)).toHaveAttribute("aria-current", "true");
    await this.page.keyboard.press("Enter");
    await expect(this.editor.name).toHaveValue(agent);
  }

  /** A model in the open list. */
  option(model: string): Locator {
    return this.page.getByRole("option").filter({ has: this.page.getByText(model, { exact: true }) });
  }
}
