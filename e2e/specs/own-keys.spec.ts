import { expect, test } from "@playwright/test";
import { expectAccessible } from "../fixtures/expect-accessible";
import { openBrowser, signUp, startTeamServer, toPerson } from "../fixtures/team-server";
import { EditorPage } from "../pages/editor-page";

test.describe.configure({ timeout: 120_000 });

const source = 'name: Own\nagents:\n  a: { model: "openai:gpt-5" }\nswarm: { flow: a }\n';
const key = "sk-proj-of-ada-0123456789abcd";

test("a person enters a key, and starts a run with it where the team has none", async ({ browser }) => {
  const server = await startTeamServer();
  try {
    const page = await openBrowser(browser, server);
    await signUp(page, `/sign-up#token=${server.token}`, toPerson("Ada"));
    const { id } = await (await page.request.post("/api/v1/flows", { data: { source } })).json();

    await page.goto("/account#keys");
    const keys = page.getByRole("list", { name: "Your keys" });
    await keys.getByRole("button", { name: "Enter key for OpenAI" }).click();
    const dialog = page.getByRole("dialog", { name: "Enter your key for OpenAI" });
    await expectAccessible(page, "[role=dialog]");
    await dialog.getByLabel("API key").fill("sk-ant-0123456789abcdef");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("alert")).toContainText("looks like a key of Anthropic");
    await dialog.getByLabel("API key").fill(key);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(keys.getByRole("listitem").filter({ hasText: "OpenAI" })).toContainText("…abcd");
    expect(await page.content()).not.toContain(key);
    await expectAccessible(page);

    await page.goto(`/flows/${id}`);
    const editor = new EditorPage(page);
    await expect(editor.saveState).toHaveText(/Saved/);
    await editor.input.fill("go");
    await editor.run.click();
    const blocked = page.getByRole("dialog", { name: /cannot run/ });
    await expect(blocked).toContainText("No key for OpenAI");
    const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/runs"));
    await blocked.getByRole("button", { name: "Run with my key" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ input: "go", ownKeys: true });
    await expect(page.getByRole("button", { name: "Use my own keys" })).toHaveAttribute("aria-pressed", "true");
    await expect(editor.runPanel).toBeVisible();

    await page.goto("/account#keys");
    await keys.getByRole("button", { name: "Remove the key for OpenAI" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(keys.getByRole("button", { name: "Enter key for OpenAI" })).toBeVisible();
    await page.context().close();
  } finally {
    await server.stop();
  }
});
