import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { ImportDialog } from "../pages/import-dialog";

test.use({ demoSpeed: 200 });

const source = `name: From elsewhere
agents:
  fetcher: { model: "demo:a", tools: [read_page, http_request] }
swarm: { type: workflow, flow: fetcher }
`;

test("text from elsewhere that replaces a flow is asked about, too", async ({ page, api }) => {
  const { id } = await api.createFlow('name: Mine\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n');
  const editor = new EditorPage(page);
  await editor.open(id);
  const importing = new ImportDialog(page);
  await importing.openFromEditor();
  await importing.text.fill(source);
  await importing.replace.click();
  await editor.expectFlow("fetcher");
  await page.getByRole("textbox", { name: "Input of the run" }).fill("Looms");
  await editor.run.click();
  const dialog = page.getByRole("dialog", { name: "This flow comes from elsewhere" });
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  await dialog.getByRole("button", { name: "Allow it and run" }).click();
  await expect(editor.runStatus("Succeeded")).toBeVisible();
});

test("an imported flow shows what it reaches before its first run, and once only", async ({ page }) => {
  const importing = new ImportDialog(page);
  await importing.openFromList();
  await importing.text.fill(source);
  await importing.create.click();
  await page.waitForURL(/\/flows\//);
  const editor = new EditorPage(page);
  await page.getByRole("textbox", { name: "Input of the run" }).fill("Looms");
  await editor.run.click();
  const dialog = page.getByRole("dialog", { name: "This flow comes from elsewhere" });
  await expect(dialog.getByRole("listitem")).toHaveText([
    "http_request: sends requests to other servers, without asking anyone",
    "read_page: reads pages that come with this app",
  ]);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Not now" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(editor.runStatus("Succeeded")).toHaveCount(0);
  await editor.run.click();
  await dialog.getByRole("button", { name: "Allow it and run" }).click();
  await expect(editor.runStatus("Succeeded")).toBeVisible();
  await editor.run.click();
  await expect(editor.runStatus("Succeeded")).toBeVisible();
  await expect(dialog).toHaveCount(0);
});
