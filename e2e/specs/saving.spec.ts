import type { BrowserContext, Page } from "@playwright/test";
import { blockWebSockets } from "../fixtures/block-web-sockets";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

const flow = (line: string, names: string): string =>
  `name: Kept
agents:
${[...names].map((name) => `  ${name}: { model: "demo:writer" }`).join("\n")}
swarm:
  type: workflow
  flow: ${line}
`;

/** Changes a flow whose saves fail from then on, in the page or in all pages; the browser keeps the change. */
async function editWithoutSaving(
  editor: EditorPage,
  failing: Pick<Page, "route"> | Pick<BrowserContext, "route">,
  { id, line }: { id: string; line: string },
): Promise<void> {
  await failing.route("**/api/v1/flows/*", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await editor.flowBar.fill(line);
  await editor.flowBar.press("Enter");
  await expect(editor.saveState).toHaveText(/Not saved/);
  await editor.keptLocally(id);
}

test("an edit survives a tab that crashes before saving, and can be undone afterwards", async ({
  context,
  page,
  api,
}) => {
  const { id } = await api.createFlow(flow("a >> b >> c", "abc"));
  const editor = new EditorPage(page);
  await editor.openLoaded(id);
  await editor.select("b");
  await page.keyboard.press("Delete");
  await editor.saved();
  await editWithoutSaving(editor, context, { id, line: "c >> a" });
  await page.close({ runBeforeUnload: false });
  await context.unrouteAll();

  const again = new EditorPage(await context.newPage());
  await again.page.goto(`/flows/${id}`);
  await again.expectFlow("c >> a");
  await again.saved();
  expect(await api.getSource(id)).toContain("flow: c >> a");
  await again.undo.click();
  await again.expectFlow("a >> c");
  await again.undo.click();
  await again.expectFlow("a >> b >> c");
  await again.redo.click();
  await again.expectFlow("a >> c");
});

test("undo and redo survive a reload, and are discarded when the text was changed elsewhere", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("a >> b >> c", "abc"));
  const editor = new EditorPage(page);
  await editor.openLoaded(id);
  await editor.select("b");
  await page.keyboard.press("Delete");
  await editor.flowBar.fill("(a | c)");
  await editor.flowBar.press("Enter");
  await editor.undo.click();
  await editor.expectFlow("a >> c");
  await editor.saved();
  await editor.keptLocally(id);
  await page.reload();
  await expect(editor.undo).toBeEnabled();
  await editor.redo.click();
  await editor.expectFlow("(a | c)");
  await editor.clickUntilDisabled(editor.undo);
  await editor.expectFlow("a >> b >> c");
  await editor.saved();

  await page.goto("/");
  await api.changeFlow(id, (source) => source.replace("a >> b >> c", "c >> b >> a"));
  await editor.open(id);
  await editor.expectFlow("c >> b >> a");
  await expect(editor.undo).toBeDisabled();
});

/** Opens a flow, and changes it while there is no network. */
async function editOffline(editor: EditorPage, id: string): Promise<void> {
  await editor.openLoaded(id);
  await editor.page.context().setOffline(true);
  await editor.flowBar.fill("b >> a");
  await editor.flowBar.press("Enter");
  await expect(editor.saveState).toHaveText(/Offline/);
}

test("edits made offline are saved when the network returns", async ({ context, page, api }) => {
  const { id } = await api.createFlow(flow("a >> b", "ab"));
  const editor = new EditorPage(page);
  await editOffline(editor, id);
  await context.setOffline(false);
  await editor.saved();
  expect(await api.getSource(id)).toContain("flow: b >> a");
});

test("what is typed offline just before the tab is closed returns with the next one", async ({
  context,
  page,
  api,
}) => {
  const { id } = await api.createFlow(flow("a >> b", "ab"));
  const editor = new EditorPage(page);
  await editOffline(editor, id);
  await editor.keptLocally(id);
  page.on("dialog", (dialog) => dialog.accept());
  await page.close({ runBeforeUnload: true });
  await context.setOffline(false);
  const next = new EditorPage(await context.newPage());
  await next.open(id);
  await next.saved();
  await expect.poll(() => api.getSource(id)).toContain("flow: b >> a");
});

test("two tabs that are opened at once restore once what a crashed one kept, and one says so", async ({
  context,
  page,
  api,
}) => {
  const { id } = await api.createFlow(flow("a >> b", "ab"));
  const editor = new EditorPage(page);
  await editor.openLoaded(id);
  await editWithoutSaving(editor, page, { id, line: "b >> a" });
  const crash = context.newCDPSession(page).then((session) => session.send("Page.crash"));
  await Promise.race([crash.catch(() => {}), page.waitForEvent("crash")]);
  expect(await api.getSource(id)).toContain("flow: a >> b");
  const tabs = [new EditorPage(await context.newPage()), new EditorPage(await context.newPage())];
  // Both look for copies at the same time.
  const lookTogether = (): void => {
    const query = navigator.locks.query.bind(navigator.locks);
    navigator.locks.query = () =>
      new Promise((resolve) => setTimeout(() => resolve(query()), 4000 - (Date.now() % 4000)));
  };
  for (const tab of tabs) await tab.page.addInitScript(lookTogether);
  const seen = tabs.map(async ({ page: tab }) => {
    await tab.goto(`/flows/${id}`);
    const notice = tab.getByText("Unsaved changes from your last visit were restored.");
    return notice.waitFor({ timeout: 10_000 }).then(
      () => 1,
      () => 0,
    );
  });
  expect((await Promise.all(seen)).toSorted()).toEqual([0, 1]);
  for (const tab of tabs) {
    await tab.expectFlow("b >> a");
    await tab.saved();
  }
  expect(await api.getSource(id)).toBe(flow("b >> a", "ab"));
});

test("edits made while the server is down are saved when it is up again", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("a >> b", "ab"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await page.route("**/api/v1/flows/*", (route) => route.abort("connectionrefused"));
  await editor.flowBar.fill("b >> a");
  await editor.flowBar.press("Enter");
  await expect(editor.saveState).toHaveText(/Not saved/);
  await page.unrouteAll();
  await editor.saved();
  expect(await api.getSource(id)).toContain("flow: b >> a");
});

test("what is saved on leaving is no longer kept in the browser", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("a >> b", "ab"));
  const editor = new EditorPage(page);
  await editor.openLoaded(id);
  await editor.flowBar.fill("b >> a");
  await editor.flowBar.press("Enter");
  await page.getByRole("link", { name: "Flows" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => api.getSource(id)).toContain("flow: b >> a");
  await expect.poll(() => editor.listUnsaved(id)).toEqual([]);
});

test("without WebSockets, changes of two tabs in different places are merged", async ({ context, page, api }) => {
  await blockWebSockets(context);
  const { id } = await api.createFlow(flow("a >> b", "ab"));
  const [one, two] = [new EditorPage(page), new EditorPage(await context.newPage())];
  await one.open(id);
  await two.openAndLook(id);
  await one.flowBar.fill("b >> a");
  await one.flowBar.press("Enter");
  await one.saved();
  await two.page.getByRole("textbox", { name: "Flow name" }).fill("Renamed");
  await two.page.keyboard.press("Enter");
  await expect(two.page.getByText("Both changes were merged")).toBeVisible();
  await two.saved();
  const source = await api.getSource(id);
  expect(source).toContain("flow: b >> a");
  expect(source).toContain("name: Renamed");
});

test("without WebSockets, changes of two tabs in the same place are shown, and the user chooses", async ({
  context,
  page,
  api,
}) => {
  await blockWebSockets(context);
  const { id } = await api.createFlow(flow("a >> b", "ab"));
  const [one, two] = [new EditorPage(page), new EditorPage(await context.newPage())];
  await one.open(id);
  await two.openAndLook(id);
  await one.flowBar.fill("b >> a");
  await one.flowBar.press("Enter");
  await one.saved();
  await two.flowBar.fill("(a | b)");
  await two.flowBar.press("Enter");
  const dialog = two.page.getByRole("dialog", { name: "This flow was changed elsewhere too" });
  const place = dialog.getByRole("region", { name: "Place 1" });
  await expect(place).toContainText("flow: (a | b)");
  await expect(place).toContainText("flow: b >> a");
  await expect(dialog.getByRole("button", { name: "1 place to decide" })).toBeDisabled();
  expect(await api.getSource(id)).toContain("flow: b >> a");
  await expectAccessible(two.page);
  await place.getByRole("button", { name: "Theirs" }).click();
  await expect(dialog.getByRole("textbox", { name: "Result" })).toContainText("flow: b >> a");
  await place.getByRole("button", { name: "Mine" }).click();
  await dialog.getByRole("button", { name: "Save the result" }).click();
  await two.saved();
  expect(await api.getSource(id)).toContain("flow: (a | b)");
});

test("a card moves into a frame by dragging and out of it by a menu, and a group is inlined", async ({ page, api }) => {
  const groups = 'groups:\n  review: { type: parallel, flow: "b | c" }\nswarm:';
  const { id } = await api.createFlow(flow("a >> review >> d", "abcd").replace("swarm:", groups));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.dragOnto("d", editor.card("c"));
  await editor.expectFlow("a >> review");
  await expect(editor.text).toContainText('flow: "b | c | d"');
  await editor.undo.click();
  await editor.expectFlow("a >> review >> d");

  await editor.card("b").click();
  await page.getByText("Links and position").click();
  await page.getByRole("combobox", { name: "Move to…" }).selectOption({ label: "Into The flow itself" });
  await editor.expectFlow("a >> review >> d >> b");
  await editor.undo.click();

  await editor.part("Parallel group review").getByText("review").click();
  await page.keyboard.press("i");
  await editor.expectFlow("a >> (b | c) >> d");
  await expect(editor.text).not.toContainText("groups:");
  await editor.select("b", "c");
  await page.keyboard.press("u");
  await editor.expectFlow("a >> b >> c >> d");
  await expect(page.getByText("b and c ran at once and run one after another now.")).toBeVisible();
});

test("a draft marks its four cards on the canvas, and one click fixes it", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("(a | b) >> (c | d)", "abcd"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.cut("a", "d");
  const banner = page.getByRole("region", { name: "Draft" });
  await expect(banner).toContainText("waits as a draft");
  for (const name of ["a", "b", "c", "d"])
    await expect(editor.card(name).getByRole("img", { name: "1 error" })).toBeVisible();
  await banner.getByRole("button", { name: "Show the four" }).click();
  await expect(page.locator("article[aria-current]")).toHaveCount(4);
  await banner.getByRole("button", { name: "Add a → d" }).click();
  await expect(banner).toHaveCount(0);
  await editor.expectFlow("(a | b) >> (c | d)");
});

test("a user alone who empties a flow is asked first, and an empty flow is saved only when they agree", async ({
  page,
  api,
}) => {
  const source = flow("a >> b", "ab");
  const { id } = await api.createFlow(source);
  await page.addInitScript(() => localStorage.setItem("swarmloom.text-pane", "open"));
  const editor = new EditorPage(page);
  await editor.openLoaded(id);
  const question = page.getByRole("dialog", { name: "Empty this flow?" });
  const empty = async (): Promise<void> => {
    await editor.text.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await expect(question).toBeVisible();
  };
  await empty();
  await question.getByRole("button", { name: "Keep the flow" }).click();
  await editor.expectFlow("a >> b");
  await editor.saved();
  expect(await api.getSource(id)).toBe(source);
  await empty();
  await page.reload();
  await expect(question).toBeVisible();
  expect(await api.getSource(id)).toBe(source);
  await question.getByRole("button", { name: "Keep the flow" }).click();
  await editor.expectFlow("a >> b");
  await empty();
  await question.getByRole("button", { name: "Save empty flow" }).click();
  await expect.poll(() => api.getSource(id)).toBe("");
});
