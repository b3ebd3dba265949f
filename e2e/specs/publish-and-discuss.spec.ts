import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

test.use({ demoSpeed: 200 });

const source = `name: Shared\nagents:\n  planner: { model: "demo:p" }\n  writer: { model: "demo:w" }\nswarm: { flow: planner >> writer }\n`;

test("a version is published, a draft is reviewed field by field, and discarded in one click", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByRole("button", { name: "Publish v1" }).click();
  await expect(page.getByRole("button", { name: "Published v1" })).toBeVisible();
  await api.changeFlow(id, (text) => text.replace('"demo:w"', '"demo:other"'));
  await page.reload();
  await page.getByRole("button", { name: /^Publish.*1 save since v1/ }).click();
  const row = dialog.getByRole("table", { name: "Fields of writer" }).getByRole("row", { name: "model" });
  await expect(row.getByRole("cell")).toHaveText(["demo:w", "demo:other"]);
  await expect(dialog.getByText("v2 includes 1 save by You.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Discard my draft" }).click();
  await expect.poll(() => api.getSource(id)).toBe(source);
  await expect(page.getByRole("button", { name: "Published v1" })).toBeVisible();
});

test("two versions are compared under an address, as a picture, as fields and as texts", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  await api.changeFlow(id, (text) => text.replace(" >> writer", "").replace('  writer: { model: "demo:w" }\n', ""));
  await page.goto(`/flows/${id}/diff?from=published`);
  await expect(page.getByText("No version of this flow is published")).toBeVisible();
  const run = await api.startRun(id, "x");
  await api.waitForRun(run);
  await page.goto(`/runs/${run}`);
  await page.getByRole("link", { name: "v2" }).click();
  const versions = page.getByRole("dialog", { name: "Versions" });
  await versions.getByRole("link", { name: "Open as a page" }).click();
  await expect(page).toHaveURL(/\/diff\?from=/);
  await expect(page.getByRole("img", { name: "Picture of what differs" }).getByText("Removed agent")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Fields" }).click();
  await expect(page.getByRole("table", { name: "Fields of writer" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Swap" }).click();
  await expect(page.getByText("Added")).toBeVisible();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await expect(page).toHaveURL(/view=text/);
  await expect(page.getByRole("textbox", { name: "Newer text" })).toContainText("writer");
});

test("a node is discussed: a mention, the inbox, a reply, resolved and opened again", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.card("writer").click();
  await page.getByRole("tab", { name: "Comments" }).click();
  const field = page.getByRole("textbox", { name: "Write a comment" });
  await field.pressSequentially("<img src=x> Too long, @Y");
  await expect(page.getByRole("option", { name: "You" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("<img src=x> Too long, @You ");
  await page.keyboard.press("Control+Enter");
  const thread = page.getByRole("article", { name: "Comment of You" });
  await expect(thread).toContainText("Too long, @You");
  await expect(thread.getByRole("img")).toHaveCount(0);
  await expect(editor.card("writer").getByRole("button", { name: "1 open comment on writer" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Comments 1" })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/inbox");
  await expect(page.getByRole("link", { name: "Inbox, 1 unread" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: /Mentioned by You in Shared/ }).click();
  await expect(thread.getByRole("button", { name: "writer" })).toBeVisible();
  await thread.getByRole("button", { name: "Reply" }).click();
  await thread.getByRole("textbox", { name: "Write a reply" }).fill("Shorter now");
  await thread.getByRole("button", { name: "Reply" }).click();
  await expect(thread.getByRole("listitem")).toContainText("Shorter now");
  await thread.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByText("No open comments.")).toBeVisible();
  await expect(editor.card("writer").getByRole("button", { name: /open comment/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Resolved 1" }).click();
  await thread.getByRole("button", { name: "Open again" }).click();
  await expect(page.getByRole("button", { name: "Open 1" })).toBeVisible();
  await page.goto("/inbox");
  await expect(page.getByText("All read")).toBeVisible();
});

test("a version is reviewed, and a step of a run is discussed", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const run = await api.startRun(id, "x");
  await api.waitForRun(run);
  await new EditorPage(page).open(id);
  await page.getByRole("button", { name: "Versions", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Versions" });
  await dialog.getByRole("button", { name: "Comments", exact: true }).click();
  await dialog.getByRole("button", { name: "Ask for a review" }).click();
  const form = dialog.getByRole("region", { name: "Ask for a review" });
  await form.getByRole("textbox").fill("Please look");
  await form.getByRole("button", { name: "Ask for a review" }).click();
  await expect(form.getByRole("alert")).toHaveText("Choose at least one member.");
  await form.getByRole("checkbox", { name: "You" }).check();
  await form.getByRole("button", { name: "Ask for a review" }).click();
  await dialog.getByRole("button", { name: "Approve" }).click();
  await expect(dialog.getByText("Approved by You")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/runs/${run}?node=2#comments`);
  await page.getByRole("textbox", { name: "Write a comment" }).fill("Why this?");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(page.getByRole("article", { name: "Comment of You" })).toContainText("Why this?");
  await page.goto(`/flows/${id}`);
  await page.getByRole("tab", { name: "Comments" }).click();
  await expect(page.getByRole("link", { name: "planner, a step of a run" })).toBeVisible();
});
