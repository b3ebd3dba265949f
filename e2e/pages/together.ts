import { type Browser, type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { EditorPage } from "./editor-page";

/** One of several people who have a flow open, each in a browser of their own, with the text beside the canvas. */
export class Person extends EditorPage {
  readonly people: Locator;
  readonly cursors: Locator;
  readonly selections: Locator;
  readonly carets: Locator;

  constructor(page: Page) {
    super(page);
    this.people = page.getByRole("list", { name: "People in this flow" });
    this.cursors = page.getByTestId("remote-cursor");
    this.selections = page.getByTestId("remote-selection");
    this.carets = page.locator(".cm-remote-caret");
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  /** `lateMs`: how late the messages of the server arrive. */
  static async enter(browser: Browser, baseURL: string, flow: string, { lateMs = 0 } = {}): Promise<Person> {
    const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    if (lateMs > 0)
      await page.routeWebSocket(/\/live$/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => void setTimeout(() => socket.send(message), lateMs));
      });
    await page.addInitScript(() => localStorage.setItem("swarmloom.text-pane", "open"));
    const person = new Person(page);
    await person.openLoaded(flow);
    await expect(person.text).toBeVisible();
    return person;
  }

  /** The whole text, as it is shown; for texts that need no scrolling. */
  shownText(): Promise<string> {
    return this.page.locator(".cm-content[aria-label='Flow text'] .cm-line").evaluateAll((lines) =>
      lines
        .map((line) => {
          const copy = line.cloneNode(true);
          if (copy instanceof Element) for (const caret of copy.querySelectorAll(".cm-remote-caret")) caret.remove();
          return copy.textContent;
        })
        .join("\n"),
    );
  }

  /** Types a line below another one. */
  async typeBelow(line: string, text: string): Promise<void> {
    await this.page.locator(".cm-line", { hasText: line }).first().click();
    await this.page.keyboard.press("End");
    await this.page.keyboard.press("Enter");
    await this.page.keyboard.press("Home");
    await this.page.keyboard.insertText(text);
  }

  /** Puts the caret behind a text of one line and types there. */
  async typeAfter(line: string, text: string): Promise<void> {
    await this.page.locator(".cm-line", { hasText: line }).first().click();
    await this.page.keyboard.press("End");
    await this.page.keyboard.insertText(text);
  }
}
