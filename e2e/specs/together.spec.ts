import type { Page } from "@playwright/test";
import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { Person } from "../pages/together";

const source = `name: Shared
# top
agents:
  a: { model: "demo:writer", max_steps: 5 }
  b: { model: "demo:writer" }
# end
swarm:
  type: workflow
  flow: a >> b
`;

const enter = (page: Page, id: string): Promise<Person> => {
  const browser = page.context().browser();
  if (!browser) throw new Error("no browser");
  return Person.enter(browser, new URL(page.url()).origin, id);
};

test("two people see each other, edit text and canvas at the same time, and undo their own", async ({
  page,
  api,
  app,
}) => {
  const { id } = await api.createFlow(source);
  await page.goto(`${app.url}/runs`);
  const ann = await enter(page, id);
  const bob = await enter(page, id);
  await expect(ann.people.getByRole("button")).toHaveCount(1);
  await expect(bob.people.getByRole("button")).toHaveCount(1);

  await test.step("different fields of one agent merge", async () => {
    await ann.select("a");
    await ann.chooseModel("demo:critic");
    await bob.typeAfter("max_steps: 5", " # bob");
    for (const person of [ann, bob]) {
      await expect(person.page.locator(".cm-line", { hasText: "# bob" })).toHaveText(/demo:critic.*# bob/);
      await person.saved();
    }
    expect(await api.getSource(id)).toContain('a: { model: "demo:critic", max_steps: 5 } # bob');
  });

  await test.step("a remote change moves neither caret nor focus", async () => {
    await bob.typeAfter("# end", " one");
    await ann.typeAfter("# top", " two three");
    await expect(bob.page.locator(".cm-line", { hasText: "two three" })).toBeVisible();
    await bob.page.keyboard.insertText(" more");
    await expect(ann.page.locator(".cm-line", { hasText: "# end one more" })).toBeVisible();
  });

  await test.step("undo reverts the own edits only", async () => {
    await ann.undo.click();
    await expect(bob.page.locator(".cm-line", { hasText: "# top" })).toHaveText("# top");
    await expect(ann.page.locator(".cm-line", { hasText: "# end one more" })).toBeVisible();
    await ann.undo.click();
    await expect(bob.page.locator(".cm-line", { hasText: "# bob" })).toHaveText(/demo:writer.*# bob/);
    await ann.redo.click();
    await expect(bob.page.locator(".cm-line", { hasText: "# bob" })).toHaveText(/demo:critic.*# bob/);
  });

  await test.step("pointer, selection and caret of the other are shown", async () => {
    await ann.card("b").click();
    await expect(bob.selections).toHaveCount(1);
    await expect(bob.cursors).toHaveCount(1);
    await bob.typeAfter("# top", " x");
    await expect(ann.carets).toHaveCount(1);
    await expectAccessible(ann.page, "header");
  });

  await test.step("one follows the view of the other", async () => {
    await bob.people.getByRole("button").click();
    await expect(bob.page.getByTestId("followed-view")).toContainText("Following");
    const scaleOf = (person: Person): Promise<string> =>
      person.page
        .locator(".react-flow__viewport")
        .evaluate((element) => getComputedStyle(element).transform.split(",")[0] ?? "");
    await ann.page.getByRole("button", { name: "Zoom in" }).click();
    await ann.page.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(async () => (await scaleOf(bob)) === (await scaleOf(ann))).toBe(true);
    await bob.page.getByRole("button", { name: "Stop", exact: true }).first().click();
    await expect(bob.page.getByTestId("followed-view")).toHaveCount(0);
  });

  await bob.context.close();
  await expect(ann.people).toHaveCount(0);
  await ann.saved();
  expect(await api.getSource(id)).toBe(await ann.shownText());
  await ann.context.close();
});

test("what a program saves appears in open editors, and a dragged card in the other one", async ({
  page,
  api,
  app,
}) => {
  const { id } = await api.createFlow(source);
  await page.goto(`${app.url}/runs`);
  const ann = await enter(page, id);
  const bob = await enter(page, id);
  await expect(ann.people).toBeVisible();
  await ann.typeAfter("# end", " ann");
  await ann.saved();
  await api.changeFlow(id, (text) => text.replace("# top", "# by a program"));
  for (const person of [ann, bob])
    await expect(person.page.locator(".cm-line", { hasText: "by a program" })).toBeVisible();
  await expect(ann.page.getByRole("dialog")).toHaveCount(0);

  const before = await bob.boxOf(bob.card("b"));
  const from = await ann.boxOf(ann.card("b"));
  await ann.page.mouse.move(from.x + 30, from.y + 20);
  await ann.page.mouse.down();
  await ann.page.mouse.move(from.x + 60, from.y + 140, { steps: 8 });
  await expect(bob.selections).toHaveClass(/outline-dashed/);
  await ann.page.mouse.up();
  await expect.poll(async () => (await bob.boxOf(bob.card("b"))).y - before.y).toBeGreaterThan(80);
  await ann.context.close();
  await bob.context.close();
});

test("edits made without a network, and during a restart of the server, merge on return", async ({ page }) => {
  const app = new AppServer({ SWARMLOOM_DEMO_SPEED: "0" });
  await app.start();
  try {
    const api = new Api(app.url);
    const { id } = await api.createFlow(source);
    await page.goto(`${app.url}/runs`);
    const people = [await enter(page, id), await enter(page, id)];
    const [ann, bob] = people;
    if (!ann || !bob) throw new Error("no one is there");
    await expect(ann.people).toBeVisible();
    await ann.typeAfter("# top", " start");
    await expect(bob.page.locator(".cm-line", { hasText: "# top start" })).toBeVisible();

    await ann.context.setOffline(true);
    await ann.typeAfter("# top start", " ann-offline");
    await expect(ann.saveState).toHaveText(/Offline/);
    await bob.typeAfter("# end", " bob-meanwhile");
    await bob.saved();
    await ann.context.setOffline(false);
    for (const person of people) {
      await expect(person.page.locator(".cm-line", { hasText: "# top start ann-offline" })).toBeVisible();
      await expect(person.page.locator(".cm-line", { hasText: "# end bob-meanwhile" })).toBeVisible();
      await person.saved();
    }

    await bob.typeAfter("# end", " last-words");
    await app.kill();
    await ann.typeAfter("# top", " ann-while-down");
    await bob.typeAfter("# end", " bob-while-down");
    await expect(ann.saveState).toHaveText(/Reconnecting/);
    await app.start();
    for (const person of people) {
      await expect(person.page.locator(".cm-line", { hasText: "ann-while-down" })).toBeVisible({ timeout: 30_000 });
      await expect(person.page.locator(".cm-line", { hasText: "last-words bob-while-down" })).toBeVisible();
      await person.saved();
    }
    const stored = await api.getSource(id);
    expect(await ann.shownText()).toBe(stored);
    expect(await bob.shownText()).toBe(stored);
    expect(stored.split("agents:")).toHaveLength(2);
    for (const person of people) await person.context.close();
  } finally {
    await app.stop();
  }
});

test("where WebSockets are blocked, the editor saves and asks about conflicts as ever", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  await page.routeWebSocket(/\/live$/, (socket) => socket.close());
  const editor = new Person(page);
  await editor.openLoaded(id);
  await editor.typeAfter("# top", " typed");
  await editor.saved();
  expect(await api.getSource(id)).toContain("# top typed");
});

for (const restarts of [false, true])
  test(`what is typed before the others are known meets no conflict with them${restarts ? ", nor after a restart" : ""}`, async ({
    browser,
    page,
  }) => {
    const app = new AppServer();
    await app.start();
    try {
      const source =
        'name: Late\n# ann\n# bob\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n';
      const api = new Api(app.url);
      const { id } = await api.createFlow(source);
      const ann = await Person.enter(browser, app.url, id);
      const bob = await Person.enter(browser, app.url, id, { lateMs: 6000 });
      await ann.typeAfter("# ann", " was first");
      await bob.typeAfter("# bob", " came late");
      if (restarts) {
        await expect(bob.page.getByText("Changed elsewhere")).toBeVisible();
        await app.kill();
        await page.waitForTimeout(3000);
        await app.start();
      }
      const expected = source.replace("# ann", "# ann was first").replace("# bob", "# bob came late");
      await expect.poll(() => api.getSource(id), { timeout: 30_000 }).toBe(expected);
      for (const person of [ann, bob]) {
        await expect.poll(() => person.shownText()).toBe(expected);
        await expect(person.page.getByRole("dialog")).toHaveCount(0);
        await person.context.close();
      }
    } finally {
      await app.stop();
    }
  });
