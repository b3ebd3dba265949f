import { expect, type Locator, type Page } from "@playwright/test";

interface Point {
  x: number;
  y: number;
}

type Box = Point & { width: number; height: number };

export const areApart = (a: Box, b: Box): boolean =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

/** The editor of one flow. */
export class EditorPage {
  readonly flowBar: Locator;
  readonly text: Locator;
  readonly name: Locator;
  readonly saveState: Locator;
  readonly problems: Locator;
  readonly run: Locator;
  readonly simulate: Locator;
  readonly stop: Locator;
  readonly input: Locator;
  /** The figures of the last run, which open and close the run panel. */
  readonly runSummary: Locator;
  readonly runPanel: Locator;
  readonly runSteps: Locator;
  readonly undo: Locator;
  readonly redo: Locator;
  readonly fit: Locator;
  readonly addAgent: Locator;
  readonly membersWorkAs: Locator;

  constructor(readonly page: Page) {
    this.flowBar = page.getByRole("textbox", { name: "Flow", exact: true });
    this.text = page.getByRole("textbox", { name: "Flow text" });
    this.name = page.getByRole("textbox", { name: "Name", exact: true });
    this.saveState = page.getByRole("status", { name: "Save state" });
    this.problems = page.getByRole("region", { name: "Problems" });
    this.run = page.getByRole("button", { name: "Run", exact: true });
    const strip = page.getByRole("region", { name: "Run this flow" });
    this.simulate = strip.getByRole("button", { name: "Simulate" });
    this.stop = strip.getByRole("button", { name: "Stop" });
    this.input = strip.getByRole("textbox", { name: "Input of the run" });
    this.runSummary = strip.getByRole("button", { expanded: false }).or(strip.getByRole("button", { expanded: true }));
    this.runPanel = page.getByRole("region", { name: "Run", exact: true });
    this.runSteps = this.runPanel.getByRole("list", { name: "Steps" });
    this.undo = page.getByRole("button", { name: "Undo", exact: true });
    this.redo = page.getByRole("button", { name: "Redo", exact: true });
    this.fit = page.getByRole("button", { name: "Fit view" });
    this.addAgent = page.getByRole("button", { name: "Insert agent", exact: true });
    this.membersWorkAs = page.getByRole("combobox", { name: "Members work as" });
  }

  card(agent: string): Locator {
    return this.page.getByRole("article", { name: `Agent ${agent}`, exact: true });
  }

  /** A node that is not an agent, e.g. `Loop refine`. */
  part(label: string): Locator {
    return this.page.getByRole("article", { name: label, exact: true });
  }

  /** A link by its label, e.g. `a may hand over to b`. */
  link(label: string): Locator {
    return this.page.getByRole("img", { name: label, exact: true });
  }

  /** From the list of flows to the editor of a new, empty one. */
  async openNew(): Promise<void> {
    await this.page.goto("/");
    await this.page.getByRole("button", { name: "New flow" }).click();
    await this.page.waitForURL(/\/flows\//);
  }

  async open(id: string): Promise<void> {
    await this.page.goto(`/flows/${id}`);
    await expect(this.saveState).toHaveText(/Saved/);
  }

  /** Opens a flow and waits until everything that changes it is loaded: what users do earlier is done then. */
  async openLoaded(id: string): Promise<void> {
    await this.open(id);
    await expect(this.page.getByRole("textbox", { name: "Flow name" })).toBeEditable();
  }

  /** Opens a flow and waits until the page has checked for newer saves: later saves elsewhere are new to it. */
  async openAndLook(id: string): Promise<void> {
    const looked = this.page.waitForResponse((answer) => new URL(answer.url()).pathname === `/api/v1/flows/${id}`);
    await this.open(id);
    await (await looked).finished();
  }

  /** Renames the agent in the inspector. */
  async rename(from: string, to: string): Promise<void> {
    await this.card(from).click();
    await expect(this.name).toHaveValue(from);
    await this.name.fill(to);
    await this.name.press("Enter");
    await expect(this.card(to)).toBeVisible();
  }

  /** Gives the selected agent a model in the inspector. */
  async chooseModel(model: string): Promise<void> {
    const field = this.page.getByRole("combobox", { name: "Model", exact: true });
    await field.fill(model);
    await field.press("Enter");
  }

  /** Changes the mode of the swarm through the dialog that previews the change. */
  async setMode(mode: string): Promise<void> {
    await this.membersWorkAs.selectOption(mode);
    await this.page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await expect(this.page.getByRole("dialog")).toHaveCount(0);
  }

  /** Replaces the content of a field without key events, like dictation or an on-screen keyboard, and leaves it. */
  async dictate(field: Locator, text: string): Promise<void> {
    await field.click({ clickCount: 3 });
    await this.page.keyboard.insertText(text);
    await this.fit.click();
  }

  /** Renames the selected agent without key events. */
  async dictateName(name: string): Promise<void> {
    await expect(this.name).toHaveValue("agent");
    await this.dictate(this.name, name);
    await expect(this.card(name)).toBeVisible();
  }

  /** Gives the selected agent a model from the list. */
  async pickModel(model: string): Promise<void> {
    await this.page.getByRole("button", { name: "Show models for model" }).click();
    await this.page.getByRole("option", { name: model }).click();
    await expect(this.page.getByRole("combobox", { name: "Model", exact: true })).toHaveValue(model);
  }

  /** Draws with the mouse from the end of a card where its links leave, to a position right of it, or to another card. */
  async drawFrom(agent: string, to: { agent: string } | { right: number; down: number }): Promise<void> {
    await this.fit.click();
    const from = await this.#linkEnd(agent);
    const target = "agent" in to ? await this.#center(to.agent) : { x: from.x + to.right, y: from.y + to.down };
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    // Directly towards the target: near the border the canvas scrolls for as long as the pointer is there.
    const [right, down] = [target.x - from.x, target.y - from.y];
    const start = 20 / Math.max(20, Math.hypot(right, down));
    await this.page.mouse.move(from.x + right * start, from.y + down * start, { steps: 3 });
    await this.page.mouse.move(target.x, target.y, { steps: 8 });
    if ("agent" in to) {
      const { x, y } = await this.#center(to.agent);
      await this.page.mouse.move(x, y);
    }
    await this.page.mouse.up();
  }

  /** Drags a card and drops it in the middle of another node. */
  async dragOnto(agent: string, target: Locator): Promise<void> {
    await this.fit.click();
    const from = await this.#center(agent);
    const to = await this.boxOf(target);
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move(from.x - 20, from.y + 4, { steps: 3 });
    await this.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
    await this.page.mouse.up();
  }

  /** The content of the flow bar, which is a plain field until its editor has loaded. */
  flowLine(): Promise<string> {
    return this.flowBar.evaluate((bar) => {
      if (bar instanceof HTMLInputElement) return bar.value;
      return bar.querySelector(".cm-placeholder") ? "" : (bar.textContent ?? "");
    });
  }

  async expectFlow(line: string): Promise<void> {
    await expect.poll(() => this.flowLine()).toBe(line);
  }

  /** Waits until the browser has stored the flow that the bar shows, and its undo history. */
  async keptLocally(flowId: string): Promise<void> {
    const line = await this.flowLine();
    const readText = (id: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("swarmloom");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const request = opening.result.transaction("editor").objectStore("editor").get(["history", id]);
          request.onerror = () => reject(request.error);
          request.onsuccess = () => {
            opening.result.close();
            resolve(request.result?.text ?? "");
          };
        };
      });
    await expect.poll(() => this.page.evaluate(readText, flowId)).toContain(`flow: ${line}\n`);
  }

  /** The texts of the flow that the browser keeps as not saved. */
  listUnsaved(flowId: string): Promise<string[]> {
    const readTexts = (id: string): Promise<string[]> =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("swarmloom");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const range = IDBKeyRange.bound(["copy", id], ["copy", id, []]);
          const request = opening.result.transaction("editor").objectStore("editor").getAll(range);
          request.onerror = () => reject(request.error);
          request.onsuccess = () => {
            opening.result.close();
            resolve(request.result.map((copy) => copy.current.source));
          };
        };
      });
    return this.page.evaluate(readTexts, flowId);
  }

  /** Waits until the browser keeps this text of the flow as not saved. */
  async keptUnsaved(flowId: string, text: string): Promise<void> {
    await expect.poll(() => this.listUnsaved(flowId)).toContain(text);
  }

  /** Selects exactly these agents with the mouse. */
  async select(first: string, ...others: string[]): Promise<void> {
    await this.card(first).click();
    for (const name of others) await this.card(name).click({ modifiers: ["Shift"] });
  }

  /** Clicks on the middle of a link, along its curve. */
  async clickLink(label: string): Promise<void> {
    await this.fit.click();
    const path = this.link(label).locator("path.link");
    const { x, y } = await this.#rest(() =>
      path.evaluate((line: SVGPathElement) => {
        const middle = line.getPointAtLength(line.getTotalLength() / 2);
        const { x, y } = middle.matrixTransform(line.getScreenCTM() ?? new DOMMatrix());
        return { x, y };
      }),
    );
    await this.page.mouse.click(x, y);
  }

  /** Deletes a link in the inspector. */
  async cut(from: string, to: string): Promise<void> {
    await this.card(from).click();
    await this.page.getByText("Links and position").click();
    await this.page.getByRole("button", { name: `Delete link to ${to}` }).click();
  }

  async saved(): Promise<void> {
    await expect(this.saveState).toHaveText(/^Saved/);
  }

  async runOn(input: string): Promise<void> {
    await this.input.fill(input);
    await this.startedBy(() => this.run.click());
  }

  /** Resolves when the run that `start` asks for has started and is shown. */
  async startedBy(start: () => Promise<unknown>): Promise<void> {
    const started = this.page.waitForResponse(/\/api\/v1\/flows\/[^/]+\/runs$/);
    await start();
    const { id } = await (await started).json();
    await this.page.waitForURL((url) => url.searchParams.get("run") === id);
    await expect(this.runPanel).toBeVisible();
  }

  /** The status of the run in its panel. */
  runStatus(word: string): Locator {
    return this.runPanel.getByText(word, { exact: true }).first();
  }

  /** Polls every frame until the agent's card shows that it is running, which may last less than a second. */
  async seenRunning(agent: string): Promise<void> {
    const says = (name: string): boolean =>
      [...document.querySelectorAll("article")].some(
        (card) => card.getAttribute("aria-label") === name && card.textContent.includes("Running"),
      );
    await this.page.waitForFunction(says, `Agent ${agent}`, { polling: "raf", timeout: 60_000 });
  }

  /** Undoes or redoes as far as possible. */
  async clickUntilDisabled(button: Locator): Promise<void> {
    while (await button.isEnabled()) await button.click();
  }

  async openTimeline(): Promise<void> {
    await this.runPanel.getByRole("link", { name: "Show in timeline" }).click();
    await this.page.waitForURL(/\/runs\//);
  }

  /** Replaces the whole text by typing. */
  async typeText(text: string): Promise<void> {
    await this.text.click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.press("Delete");
    await this.page.keyboard.insertText(text);
  }

  /** The position of a card or frame after the camera has stopped. */
  async boxOf(part: Locator): Promise<Box> {
    const box = await this.#rest(() => part.boundingBox());
    if (!box) throw new Error(`${part} is not on the canvas`);
    return box;
  }

  /** The measured value after the camera has stopped. */
  async #rest<T>(measure: () => Promise<T>): Promise<T> {
    let last = await measure();
    // On a busy machine the camera may not have started yet at the second measurement.
    let same = 0;
    await expect(async () => {
      const before = JSON.stringify(last);
      last = await measure();
      same = JSON.stringify(last) === before ? same + 1 : 0;
      expect(same).toBeGreaterThanOrEqual(3);
    }).toPass({ intervals: [120] });
    return last;
  }

  /** Right or below, by the direction of the flow. */
  async #linkEnd(agent: string): Promise<Point> {
    const box = await this.boxOf(this.card(agent).locator(".react-flow__handle.source"));
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  async #center(agent: string): Promise<Point> {
    const box = await this.boxOf(this.card(agent));
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
}
