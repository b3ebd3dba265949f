import type { Browser, Locator, Page } from "@playwright/test";
import { PostgresServer } from "@/prisma/testing/postgres-server";
import { findPostgres } from "../../.config/find-postgres.mjs";
import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { expect, test } from "../fixtures/test";
import { InspectorPanel } from "../pages/inspector-panel";
import { Person } from "../pages/together";

/** An agent for each style of a text, and a loop with a condition, a number and a choice. */
const source = `name: Shared
agents:
  missing:
    model: "demo:writer"
  plain:
    model: "demo:writer"
    instructions: Begin
  braces: { model: "demo:writer", instructions: "Begin" }
  block:
    model: "demo:writer"
    instructions: |
      Begin
      here
  single: { model: "demo:writer", instructions: 'Begin' }
  folded:
    model: "demo:writer"
    instructions: >-
      Begin
      here
  last: { model: "demo:writer" }
loops:
  refine: { body: last, while: 'contains(input, "more")', limit: 5 }
swarm:
  type: workflow
  flow: missing >> plain >> braces >> block >> single >> folded >> refine
`;

const words = ["AAAA AAAA: AAAA", "BBBB BBBB # BBB", "CCCC 'CCC\" CCC"] as const;
/** Milliseconds between two keys: of a fast, a usual and a slow writer. */
const paces = [20, 90, 250] as const;

const browserOf = (page: Page): Browser => {
  const browser = page.context().browser();
  if (!browser) throw new Error("no browser");
  return browser;
};

/** People who have a flow open at a server each, and see each other. */
async function enterAll(browser: Browser, urls: readonly string[], flow: string, lateMs = 0): Promise<Person[]> {
  const people = await Promise.all(
    urls.map((url, index) => Person.enter(browser, url, flow, { lateMs: index === 0 ? lateMs : 0 })),
  );
  for (const person of people) await expect(person.people.getByRole("button")).toHaveCount(urls.length - 1);
  return people;
}

/** `lateMs`: how late the first one hears of the second one. */
async function enterTwo(page: Page, url: string, flow: string, lateMs = 0): Promise<[ann: Person, bob: Person]> {
  const [ann, bob] = await enterAll(browserOf(page), [url, url], flow, lateMs);
  if (!ann || !bob) throw new Error("no one is there");
  return [ann, bob];
}

const closeAll = (people: readonly Person[]): Promise<unknown> =>
  Promise.all(people.map((person) => person.context.close()));

const instructionsOf = (person: Person) => new InspectorPanel(person.page).instructions;

const showAll = (people: readonly Person[], agent: string): Promise<unknown> =>
  Promise.all(people.map((person) => new InspectorPanel(person.page).show(agent)));

/** Types in the instructions, at the end of what is there now. */
async function type(person: Person, text: string, delay: number): Promise<void> {
  await instructionsOf(person).click();
  await person.page.keyboard.press("Control+End");
  await person.page.keyboard.type(text, { delay });
}

const typeAll = (people: readonly Person[]): Promise<unknown> =>
  Promise.all(people.map((person, index) => type(person, words[index] ?? "", paces[index] ?? 20)));

const shownInstructions = async (person: Person): Promise<string> =>
  (await instructionsOf(person).locator(".cm-line").allTextContents()).join("\n");

const lettersOf = (text: string, letter: string): number => [...text].filter((one) => one === letter).length;

/** Every letter is there, and all see the same text, which is the server's. */
async function expectMerged(people: readonly Person[], api: Api, flow: string) {
  const expected = words.slice(0, people.length);
  const isWhole = (text: string): boolean =>
    expected.every((word) => ["A", "B", "C"].every((letter) => lettersOf(word, letter) <= lettersOf(text, letter)));
  for (const person of people) await expect.poll(async () => isWhole(await shownInstructions(person))).toBe(true);
  await expectSame(people, api, flow);
  expect(new Set(await Promise.all(people.map(shownInstructions))).size).toBe(1);
}

/** All have the text that the server has, which is without mistakes. Returns it. */
async function expectSame(people: readonly Person[], api: Api, flow: string): Promise<string> {
  const [first] = people;
  if (!first) throw new Error("no one is there");
  await expect.poll(async () => new Set(await Promise.all(people.map((person) => person.shownText()))).size).toBe(1);
  await first.saved();
  await expect.poll(async () => await api.getSource(flow)).toBe(await first.shownText());
  for (const person of people) await expect(person.page.getByText("is here twice")).toHaveCount(0);
  return first.shownText();
}

test("two people type in one field at once, in each style of a text", async ({ page, api, app }) => {
  const { id } = await api.createFlow(source);
  const people = await enterTwo(page, app.url, id);
  for (const agent of ["missing", "plain", "braces", "block", "single", "folded"])
    await test.step(agent, async () => {
      await showAll(people, agent);
      await typeAll(people);
      await expectMerged(people, api, id);
    });
  await closeAll(people);
});

test("three people type in one field at once, and go on while someone renames the agent", async ({
  page,
  api,
  app,
}) => {
  const { id } = await api.createFlow(source);
  const people = await enterAll(browserOf(page), [app.url, app.url, app.url], id);
  for (const agent of ["missing", "block"])
    await test.step(agent, async () => {
      await showAll(people, agent);
      await typeAll(people);
      await expectMerged(people, api, id);
    });
  await test.step("a rename takes neither the field nor letters", async () => {
    const [ann, bob, eve] = people;
    if (!ann || !bob || !eve) throw new Error("no one is there");
    await eve.name.fill("renamed");
    const typing = Promise.all([type(ann, " one two three four", 60), type(bob, " five six seven", 90)]);
    // The letters of both may be mixed.
    await expect.poll(async () => lettersOf(await shownInstructions(eve), "w")).toBeGreaterThan(0);
    await eve.name.press("Enter");
    await typing;
    for (const person of [ann, bob]) {
      await expect(person.name).toHaveValue("renamed");
      await expect(instructionsOf(person)).toBeFocused();
    }
    const text = await expectSame(people, api, id);
    for (const letters of ["one two three four", "five six seven"])
      expect(lettersOf(text, "v")).toBeGreaterThanOrEqual(lettersOf(letters, "v"));
    const typed = [..." one two three four five six seven"].filter((letter) => letter !== " ");
    const before = [...source];
    const count = (all: readonly string[], letter: string) => all.filter((one) => one === letter).length;
    for (const letter of ["w", "h", "v", "x"])
      expect(count([...text], letter)).toBeGreaterThanOrEqual(count(before, letter) + count(typed, letter));
  });
  await closeAll(people);
});

test("three people change a name, a condition, a number and a choice, and delete, paste and undo in one text", async ({
  page,
  api,
  app,
}) => {
  const { id } = await api.createFlow(source);
  const people = await enterAll(browserOf(page), [app.url, app.url, app.url], id);
  const [ann, bob, eve] = people;
  if (!ann || !bob || !eve) throw new Error("no one is there");
  const allSee = async (label: string, pattern: RegExp): Promise<void> => {
    for (const person of people) await expect(person.page.getByRole("textbox", { name: label })).toHaveValue(pattern);
  };
  const fill = async (person: Person, label: string, text: string): Promise<void> => {
    const field = person.page.getByRole("textbox", { name: label, exact: true });
    // What someone else sets between selecting and writing takes the selection away.
    await expect(async () => {
      await field.fill(text);
      expect(await field.inputValue()).toBe(text);
    }).toPass();
    await field.press("Enter");
  };

  await test.step("name", async () => {
    await showAll(people, "plain");
    await Promise.all([fill(ann, "Name", "simple"), fill(bob, "Name", "easy"), fill(eve, "Name", "light")]);
    await expect.poll(async () => new Set(await Promise.all(people.map(({ name }) => name.inputValue()))).size).toBe(1);
    await expectSame(people, api, id);
  });
  await test.step("condition", async () => {
    for (const person of people) await person.part("Loop refine").getByText("refine", { exact: true }).first().click();
    await Promise.all(
      people.map(async (person, index) => {
        const field = person.page.getByRole("textbox", { name: "While" });
        await field.press("End");
        await field.pressSequentially(` or round < ${index + 2}`, { delay: paces[index] ?? 20 });
      }),
    );
    await allSee("While", /(?=.*2)(?=.*3)(?=.*4)/);
    await expectSame(people, api, id);
  });
  await test.step("number and choice", async () => {
    await Promise.all([fill(ann, "Limit", "7"), fill(bob, "Limit", "8"), fill(eve, "Limit", "9")]);
    await expect.poll(async () => /limit: [789]\b/.test(await ann.shownText())).toBe(true);
    await expectSame(people, api, id);
    const repeats = people.map((person) => person.page.getByRole("combobox", { name: "Repeats" }));
    await repeats[0]?.selectOption("for_each");
    for (const field of repeats) await expect(field).toHaveValue("for_each");
    await Promise.all([repeats[0]?.selectOption("count"), repeats[1]?.selectOption("while")]);
    await expect.poll(async () => (await ann.shownText()).includes("for_each")).toBe(false);
    const text = await expectSame(people, api, id);
    expect(text).toMatch(/refine: \{ body: last, limit: [789], (count: 3|while: 'not contains\(input, "done"\)') \}/);
  });
  await test.step("delete, paste and undo", async () => {
    await ann.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await showAll(people, "block");
    await instructionsOf(ann).click();
    await ann.page.keyboard.press("Control+Home");
    await ann.page.keyboard.press("Shift+End");
    await Promise.all([ann.page.keyboard.press("Delete"), type(bob, "BBBB", 20)]);
    await ann.page.evaluate(() => navigator.clipboard.writeText("Pasted: # 'text'\nof two lines"));
    await Promise.all([ann.page.keyboard.press("Control+v"), type(bob, "BBB", 20)]);
    for (const person of people) await expect(instructionsOf(person)).toContainText("of two lines");
    for (const person of people) await expect(instructionsOf(person)).toContainText("hereBBBBBBB");
    await ann.page.keyboard.press("Control+z");
    for (const person of people) await expect(instructionsOf(person)).not.toContainText("of two lines");
    expect(await expectSame(people, api, id)).toContain("hereBBBBBBB");
  });
  await closeAll(people);
});

test("instructions are shown without a network before any form was loaded", async ({ page, api, app }) => {
  const { id } = await api.createFlow(source);
  // What the page loads when it has nothing better to do is not there yet.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  await page.goto(`${app.url}/flows/${id}`);
  const inspector = page.getByRole("region", { name: "Inspector" });
  await expect(inspector.getByRole("textbox").first()).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole("article", { name: "Agent block" }).click();
  await expect(inspector).toContainText("Loading the form…");
  await expect(page.getByRole("textbox", { name: /^Text, while/ })).toHaveValue("Begin\nhere\n");
  await page.context().setOffline(false);
  await expect(page.getByRole("textbox", { name: "Instructions" })).toContainText("here");
});

/** The question waits in a bar: the dialog opens on demand. */
async function compareTexts({ page }: Person): Promise<Locator> {
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("status", { name: "Questions" }).getByRole("button", { name: "Compare…" }).click();
  return page.getByRole("dialog", { name: /which text should stay/ });
}

async function seeLostText({ page }: Person): Promise<Locator> {
  await page.getByRole("status", { name: "Questions" }).getByRole("button", { name: "See your text…" }).click();
  return page.getByRole("dialog", { name: /^Your text is (not )?in the flow$/ });
}

test("who types on while a question arrives has every letter in the field", async ({ page, api, app }) => {
  const { id } = await api.createFlow(source);
  const people = await enterTwo(page, app.url, id);
  const [ann, bob] = people;
  await showAll(people, "plain");
  await ann.context.setOffline(true);
  await type(ann, " Ann", 20);
  await type(bob, " Bob", 20);
  await bob.saved();
  const letters = " types on while the line comes back and no dialog stops her. Not here, either.";
  await ann.context.setOffline(false);
  await ann.page.keyboard.type(letters, { delay: 40 });
  const questions = ann.page.getByRole("status", { name: "Questions" });
  await expect(questions).toContainText("changed the instructions of plain while you were offline");
  await ann.page.keyboard.type(" The end.", { delay: 20 });
  await expect(instructionsOf(ann)).toBeFocused();
  await expect(ann.page.getByRole("dialog")).toHaveCount(0);
  for (const person of people) await expect.poll(() => shownInstructions(person)).toContain(` Ann${letters} The end.`);
  await questions.getByRole("button", { name: "Compare…" }).click();
  const dialog = ann.page.getByRole("dialog", { name: "Instructions of plain: which text should stay?" });
  await expect(dialog.getByRole("region", { name: "Yours" })).toContainText(`Begin Ann${letters} The end.`);
  await expect(dialog.getByRole("region", { name: "Yours" })).not.toContainText("Bob");
  await dialog.getByRole("button", { name: "Keep yours" }).click();
  await expect(questions).toBeEmpty();
  await expect(instructionsOf(ann)).toBeFocused();
  for (const person of people) await expect.poll(() => shownInstructions(person)).toBe(`Begin Ann${letters} The end.`);
  await expectSame(people, api, id);
  await closeAll(people);
});

test("who returns from being offline chooses one of two texts, and sees instructions without a network", async ({
  page,
  api,
  app,
}) => {
  const { id } = await api.createFlow(source);
  const people = await enterTwo(page, app.url, id);
  const [ann, bob] = people;
  await test.step("the form is opened without a network for the first time", async () => {
    await ann.context.setOffline(true);
    await ann.card("block").click();
    await ann.page.keyboard.press("Enter");
    await expect(ann.page.getByRole("textbox", { name: /^Text, while|^Instructions/ })).toBeVisible();
    await expect(ann.page.getByText("Begin\nhere").first()).toBeVisible();
    await ann.context.setOffline(false);
  });
  await test.step("both write while one is offline", async () => {
    await showAll(people, "missing");
    await expect(instructionsOf(ann)).toBeVisible();
    await ann.context.setOffline(true);
    await type(ann, "AAAA", 20);
    await type(bob, "BBBB", 20);
    await bob.saved();
    await ann.context.setOffline(false);
    await expect(await compareTexts(ann)).toContainText("AAAA");
    await ann.page.keyboard.press("Escape");
    await ann.saved();
    await ann.page.reload();
    const dialog = await compareTexts(ann);
    await expect(dialog.getByRole("region", { name: "Yours" })).toContainText("AAAA");
    await expect(dialog).toContainText("BBBB");
    await dialog.getByRole("button", { name: "Keep yours" }).click();
    await new InspectorPanel(ann.page).show("missing");
    for (const person of people) await expect.poll(() => shownInstructions(person)).toBe("AAAA");
    expect(await expectSame(people, api, id)).toContain("AAAA");
  });
  await test.step("both write again, and both texts stay", async () => {
    await ann.context.setOffline(true);
    await type(ann, "CCCC", 20);
    await type(bob, "DDDD", 20);
    await bob.saved();
    await ann.context.setOffline(false);
    const dialog = await compareTexts(ann);
    await dialog.getByRole("button", { name: "Keep both" }).focus();
    // The question is about the flow as it is.
    await ann.page.keyboard.press("Control+z");
    await dialog.getByRole("button", { name: "Keep both" }).click();
    await expect(dialog).toHaveCount(0);
    for (const person of people)
      await expect.poll(() => shownInstructions(person)).toMatch(/^AAAA(CCCCDDDD|DDDDCCCC)$/);
    await expectSame(people, api, id);
  });
  await test.step("both write the whole text anew: one question has both texts", async () => {
    const rewrite = async (person: Person, text: string): Promise<void> => {
      await instructionsOf(person).click();
      await person.page.keyboard.press("Control+a");
      await person.page.keyboard.type(text, { delay: 20 });
    };
    await ann.context.setOffline(true);
    await rewrite(ann, "Ann rewrites it.");
    await rewrite(bob, "Bob has another text.");
    await bob.saved();
    await ann.context.setOffline(false);
    const dialog = await compareTexts(ann);
    await expect(dialog.getByText("Ann rewrites it.", { exact: true })).toBeVisible();
    await expect(dialog.getByText("Bob has another text.", { exact: true })).toBeVisible();
    await dialog.getByRole("button", { name: /^Keep (?!yours|both)/ }).click();
    await expect(dialog).toHaveCount(0);
    for (const person of people) await expect.poll(() => shownInstructions(person)).toBe("Bob has another text.");
    await expectSame(people, api, id);
  });
  await closeAll(people);
});

test("an agent that is deleted while someone types in it can be put back, with all of its text", async ({
  page,
  api,
  app,
}) => {
  const { id } = await api.createFlow(source);
  const people = await enterTwo(page, app.url, id, 1_000);
  const [ann, bob] = people;
  await new InspectorPanel(ann.page).show("block");
  await bob.card("block").click();
  const typing = type(ann, " one two three four five six", 40);
  await expect(bob.text).toContainText("one");
  await bob.page.keyboard.press("Delete");
  await typing;
  const rest = ann.page.getByRole("textbox", { name: "Your text of block" });
  await expect(rest).toBeFocused();
  await expect(rest).toHaveValue(/here\s+one two three four five six$/);
  await ann.page.keyboard.type(" seven", { delay: 20 });
  expect(await expectSame([bob], api, id)).not.toContain("one");
  const dialog = await seeLostText(ann);
  await expect(dialog).toContainText("one two three four five six seven");
  await dialog.getByRole("button", { name: "Put the agent back" }).click();
  await expect(dialog.getByRole("button", { name: "The agent is in the flow" })).toBeDisabled();
  await dialog.getByText("Close", { exact: true }).click();
  const text = await expectSame(people, api, id);
  expect(text).toContain("flow: missing >> plain >> braces >> block >> single >> folded >> refine");
  expect(text).toMatch(/here\s+one two three four five six seven/);
  await closeAll(people);
});

test("who is in the form of an agent that someone deletes is told, and goes on in a field beside the flow", async ({
  page,
  api,
  app,
}) => {
  const { id } = await api.createFlow(source);
  const people = await enterTwo(page, app.url, id);
  const [ann, bob] = people;
  await new InspectorPanel(ann.page).show("block");
  await type(ann, " one", 20);
  await expect(bob.text).toContainText("one");
  await bob.card("block").click();
  await bob.page.keyboard.press("Delete");
  const rest = ann.page.getByRole("textbox", { name: "Your text of block" });
  await expect(rest).toBeFocused();
  await expect(ann.page.getByRole("dialog")).toHaveCount(0);
  const text = await expectSame([bob], api, id);
  expect(text).not.toContain("one");
  await ann.page.keyboard.type(" snp two", { delay: 20 });
  expect(await ann.shownText()).toBe(text);
  expect(await expectSame([bob], api, id)).toBe(text);
  await test.step("the text outlives the page, and a dialog that is closed", async () => {
    await ann.page.reload();
    const question = await seeLostText(ann);
    await ann.page.keyboard.press("Escape");
    await expect(question).toHaveCount(0);
  });
  const dialog = await seeLostText(ann);
  await expect(dialog).toContainText("block, deleted by");
  await expect(dialog).toContainText("here one snp two");
  await dialog.getByRole("button", { name: "Put the agent back" }).click();
  await expect.poll(() => bob.shownText()).toMatch(/here one/);
  await dialog.getByText("Close", { exact: true }).click();
  await expect(ann.page.getByRole("status", { name: "Questions" })).toBeEmpty();
  await expectSame(people, api, id);
  await closeAll(people);
});

test("who writes on beside the flow goes on in it when the agent is restored by undo", async ({ page, api, app }) => {
  const { id } = await api.createFlow(source);
  const people = await enterTwo(page, app.url, id);
  const [ann, bob] = people;
  await new InspectorPanel(ann.page).show("block");
  await bob.card("block").click();
  const typing = type(ann, " one two three four five six seven eight nine ten eleven twelve", 60);
  await expect(bob.text).toContainText("one");
  await bob.page.keyboard.press("Delete");
  await expect(ann.page.getByText(/deleted block\. Your text is kept/)).toBeVisible();
  await bob.page.keyboard.press("Control+z");
  await expect(ann.page.getByText(/restored block\. What you write here is in the flow/)).toBeVisible();
  await new InspectorPanel(bob.page).show("block");
  await bob.name.fill("piece");
  await bob.page.keyboard.press("Enter");
  await typing;
  const text = await expectSame(people, api, id);
  await expect(ann.page.getByRole("textbox", { name: "Your text of piece" })).toBeFocused();
  expect(text).toMatch(/here one two three four five six seven eight nine ten eleven twelve$/m);
  await ann.page.keyboard.press("Tab");
  await expect(ann.page.getByRole("textbox", { name: "Your text of piece" })).toHaveCount(0);
  await closeAll(people);
});

test("what someone types while a version is restored is in the text or in a version, and they are told", async ({
  page,
  api,
  app,
}) => {
  const { id } = await api.createFlow(source);
  await api.changeFlow(id, (text) => text.replace("here", "there"));
  const people = await enterTwo(page, app.url, id);
  const [ann, bob] = people;
  const letters = "αβγδεζηθικλμνξοπρστυφχψω";
  await showAll([bob], "block");
  await ann.page.getByRole("button", { name: "Versions", exact: true }).click();
  const restore = ann.page
    .getByRole("dialog", { name: "Versions" })
    .getByRole("button", { name: "Restore this version" });
  await expect(restore).toBeEnabled();
  await instructionsOf(bob).click();
  await bob.page.keyboard.press("Control+Home");
  const typing = bob.page.keyboard.type(letters, { delay: 60 });
  // The dialog hides the text from roles.
  await expect(ann.page.locator(".cm-content").first()).toContainText("γδε");
  await restore.click();
  await expect(bob.page.getByText(/ restored the version .* under Versions\.$/).first()).toBeVisible();
  await typing;
  const text = await expectSame(people, api, id);
  expect(text).not.toContain("there");
  const kept = [text, ...(await api.listVersions(id))].join("");
  expect([...letters].filter((letter) => !kept.includes(letter))).toEqual([]);
  await closeAll(people);
});

test("a flow that one person empties stays for the others until it is agreed", async ({ page, api, app }) => {
  const { id } = await api.createFlow(source);
  const people = await enterTwo(page, app.url, id);
  const [ann, bob] = people;
  const empty = async (): Promise<void> => {
    await ann.text.click();
    await ann.page.keyboard.press("Control+a");
    await ann.page.keyboard.press("Delete");
    await expect(ann.page.getByRole("dialog", { name: "Empty this flow?" })).toBeVisible();
  };
  const dialog = ann.page.getByRole("dialog", { name: "Empty this flow?" });
  await empty();
  expect(await bob.shownText()).toBe(source);
  await dialog.getByRole("button", { name: "Keep the flow" }).click();
  expect(await expectSame(people, api, id)).toBe(source);
  await test.step("after a reload in the middle of the question", async () => {
    await empty();
    await ann.keptUnsaved(id, "");
    await ann.page.reload();
    await expect(dialog).toBeVisible();
    await bob.page.reload();
    await expect(bob.people.getByRole("button")).toHaveCount(1);
    expect(await bob.shownText()).toBe(source);
    await expect(dialog).toBeVisible();
    await dialog.getByRole("button", { name: "Keep the flow" }).click();
    expect(await expectSame(people, api, id)).toBe(source);
  });
  await test.step("agreed", async () => {
    await empty();
    await dialog.getByRole("button", { name: "Save empty flow" }).click();
    await expect.poll(() => bob.shownText()).toBe("");
    await expect.poll(() => api.getSource(id)).toBe("");
  });
  await closeAll(people);
});

test("what someone wrote offline before a reload is merged with what others wrote, however slow the browser's storage is", async ({
  page,
  api,
  app,
}) => {
  const { id } = await api.createFlow(source);
  const people = await enterTwo(page, app.url, id);
  const [ann, bob] = people;
  const address = ann.page.url();
  await ann.context.setOffline(true);
  await ann.text.locator(".cm-line").first().click();
  await ann.page.keyboard.press("End");
  await ann.page.keyboard.type(" of Ann");
  await ann.keptUnsaved(id, source.replace("Shared", "Shared of Ann"));
  await ann.page.goto("about:blank");
  await new InspectorPanel(bob.page).show("plain");
  await type(bob, " of Bob", 20);
  await bob.saved();
  await ann.context.setOffline(false);
  await ann.page.addInitScript(() => {
    const locks = navigator.locks;
    const query = locks.query.bind(locks);
    locks.query = () => new Promise((resolve) => setTimeout(() => resolve(query()), 1500));
  });
  await ann.page.goto(address);
  await expect.poll(() => bob.shownText()).toContain("name: Shared of Ann");
  const text = await expectSame(people, api, id);
  expect(text).toContain("Begin of Bob");
  await closeAll(people);
});

const installation = findPostgres();
const programs = installation?.type === "programs" ? installation.folder : "";

test("two people at two servers with one database type in one field at once", async ({ browser }) => {
  test.skip(programs === "", "PostgreSQL is not installed");
  test.setTimeout(180_000);
  const postgres = new PostgresServer(programs);
  await postgres.start();
  const env = { DATABASE_URL: postgres.url, SWARMLOOM_SECRET: "a secret of this test", SWARMLOOM_DEMO_SPEED: "0" };
  const [one, two] = [new AppServer(env), new AppServer(env)];
  try {
    await one.start();
    await two.start();
    const api = new Api(one.url);
    const { id } = await api.createFlow(source);
    const people = await enterAll(browser, [one.url, two.url], id);
    await showAll(people, "plain");
    await typeAll(people);
    await expectMerged(people, api, id);
    await closeAll(people);
  } finally {
    await two.stop();
    await one.stop();
    await postgres.stop();
  }
});
