import type { LLMock } from "@copilotkit/aimock";
import type { Page } from "@playwright/test";
import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { holdModel } from "../fixtures/held-model";
import { InterruptingProxy, type ProxyManners } from "../fixtures/interrupting-proxy";
import { countedWords, expectBeginnings, recordShownWords } from "../fixtures/shown-words";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { KeyboardRun } from "../pages/keyboard-run";

test.use({ demoSpeed: 8 });

const counting = (first: string, model: string): string => `name: Counts
agents:
  first: { model: "${first}" }
  counter: { model: "openai:${model}" }
swarm: { type: workflow, flow: first >> counter }
`;

/** `counts` streams its words over some ten seconds, `thinks` sends all of them after a pause. */
function addCounters(wire: LLMock): void {
  wire.on({ model: "quick" }, { content: "Go on." });
  const profile = { ttft: 200, tps: 10 };
  wire.on({ model: "counts" }, { content: countedWords }, { chunkSize: 12, streamingProfile: profile });
  wire.on({ model: "thinks" }, { content: countedWords }, { streamingProfile: { ttft: 12_000, tps: 1000 } });
}

/** Every row of the run and the words of its agents match the stored ones. */
async function expectStored(page: Page, api: Api, runId: string): Promise<void> {
  const keyboard = new KeyboardRun(page);
  const { state } = await api.getRun(runId);
  await expect(keyboard.run.steps).toHaveAttribute("aria-rowcount", `${state.nodes.length + 1}`);
  await expect(keyboard.run.steps.getByRole("row")).toHaveCount(state.nodes.length + 1);
  for (const { name, output } of state.nodes.filter(({ kind }) => kind === "agent")) {
    await keyboard.run.row(`Agent ${name}`).click();
    await expect(keyboard.run.detail.getByRole("heading", { level: 2 })).toHaveText(name);
    await keyboard.openTab("Answer");
    await expect(keyboard.run.panel.getByRole("paragraph")).toHaveText(output.text);
  }
}

test("a server that is killed during a run: the page reconnects, and shows the answer that is asked for again", async ({
  page,
  wire,
}) => {
  test.setTimeout(180_000);
  addCounters(wire);
  const first = holdModel(wire);
  const app = new AppServer({ OPENAI_API_KEY: "sk-loopback", OPENAI_BASE_URL: `${wire.url}/v1` });
  await app.start();
  try {
    const api = new Api(app.url);
    const { id } = await api.createFlow(counting(first.model, "counts"));
    const runId = await api.startRun(id, "go");
    const heard = await recordShownWords(page, "counter");
    await page.goto(`${app.url}/runs/${runId}`);
    const { run } = new KeyboardRun(page);
    await expect(run.status("Running")).toBeVisible();
    first.release();
    await expect(page.getByRole("region", { name: "counter running" })).toContainText("word120");
    await app.kill();
    await expect(page.getByText("Connection lost, reconnecting")).toBeVisible();
    await app.start();
    await api.waitForRun(runId, 60);
    await expect(run.status("Succeeded")).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText("Connection lost, reconnecting")).toHaveCount(0);
    const words = await heard();
    // The answer begins anew once: with the attempt after the killed one.
    const restart = words.findIndex((text, index) => text.length < (words[index - 1]?.length ?? 0));
    expect(restart).toBeGreaterThan(0);
    expectBeginnings(words.slice(0, restart), countedWords);
    expectBeginnings(words.slice(restart), countedWords);
    const { state } = await api.getRun(runId);
    const counter = state.nodes.find(({ kind, name }) => kind === "agent" && name === "counter");
    expect(counter?.output.text).toBe(countedWords);
    await expectStored(page, api, runId);
  } finally {
    await app.stop();
  }
});

for (const [title, model, manners] of [
  ["cuts every stream of events after a second", "counts", { streamMs: 1000 }],
  ["cuts a line that is silent", "thinks", { idleMs: 700 }],
] as const satisfies [string, string, ProxyManners][])
  test(`a proxy that ${title}: nothing is missing and nothing is duplicated`, async ({ page, api, app, wire }) => {
    addCounters(wire);
    const proxy = new InterruptingProxy(app.url, manners);
    await proxy.start();
    try {
      const { id } = await api.createFlow(counting("openai:quick", model));
      const runId = await api.startRun(id, "go");
      const heard = await recordShownWords(page, "counter");
      await page.goto(`${proxy.url}/runs/${runId}`);
      const { run } = new KeyboardRun(page);
      await expect(page.getByText("Connection lost, reconnecting")).toBeVisible();
      await api.waitForRun(runId);
      await expect(run.status("Succeeded")).toBeVisible({ timeout: 30_000 });
      expect(proxy.cuts).toBeGreaterThanOrEqual(2);
      if (model === "counts") expectBeginnings(await heard(), countedWords);
      await expectStored(page, api, runId);
      const { state } = await api.getRun(runId);
      expect(state.nodes.find(({ name }) => name === "counter")?.output.text).toBe(countedWords);
    } finally {
      proxy.stop();
    }
  });

test("the list of steps in the editor follows a run, until someone scrolls up in it", async ({ page, api }) => {
  const names = Array.from({ length: 90 }, (_, index) => `s${index + 1}`);
  const agents = names.map((name) => `  ${name}: { model: "demo:writer" }\n`).join("");
  const { id } = await api.createFlow(`name: Long\nagents:\n${agents}swarm: { flow: ${names.join(" >> ")} }\n`);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.input.fill("Looms");
  await editor.startedBy(() => editor.input.press("Enter"));
  const row = (name: string) => editor.runSteps.getByRole("button", { name: new RegExp(`^${name} (?!not)`) });
  await expect(row("s20")).toHaveCount(1, { timeout: 30_000 });
  await expect(editor.runSteps.getByRole("button", { name: / Running/ }).last()).toBeInViewport();
  await expect(row("s1")).not.toBeInViewport();
  await editor.runSteps.hover();
  // A row that comes at the same moment scrolls down once more.
  await expect(async () => {
    await page.mouse.wheel(0, -10_000);
    await expect(row("s1")).toBeInViewport({ timeout: 1_000 });
  }).toPass();
  await expect(row("s30")).toHaveCount(1, { timeout: 30_000 });
  await expect(row("s1")).toBeInViewport();
});
