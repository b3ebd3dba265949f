import type { Page } from "@playwright/test";
import { blockWebSockets } from "../fixtures/block-web-sockets";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { areApart, EditorPage } from "../pages/editor-page";

const unchanged = Array.from({ length: 60 }, (_, index) => `# line ${index}\n`).join("");
const flow = (instructions: string): string => `name: Kept
${unchanged}agents:
  a:
    model: "demo:writer"
    instructions: |
${instructions.replaceAll(/^/gm, "      ")}
swarm: { type: workflow, flow: a }
`;
const longText = (author: string): string =>
  Array.from({ length: 30 }, (_, index) => `${author} writes line ${index} of the instructions of this agent.`).join(
    "\n",
  );

/** Makes the next save of a page meet a change of the same place. */
async function meetConflict(page: Page, change: () => Promise<unknown>): Promise<void> {
  let changed: Promise<unknown> | null = null;
  await page.route("**/api/v1/flows/*", async (route) => {
    if (route.request().method() === "PUT") {
      changed ??= change();
      await changed;
    }
    await route.continue();
  });
}

test("the dialog of a conflict with long texts is accessible on a narrow screen, too", async ({ page, api }) => {
  await blockWebSockets(page.context());
  const { id } = await api.createFlow(flow("Begin."));
  const editor = new EditorPage(page);
  await editor.openLoaded(id);
  await meetConflict(page, () => api.changeFlow(id, () => flow(longText("Ed"))));
  await editor.select("a");
  await page.getByRole("textbox", { name: "Instructions" }).fill(longText("Olga"));
  const dialog = page.getByRole("dialog", { name: "This flow was changed elsewhere too" });
  await expect(dialog).toBeVisible();
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await expectAccessible(page, "[role=dialog]");
  }
});

test("on a narrow screen the people in a flow do not cover what leads to the conflict", async ({ page, api, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const source =
    'name: A flow with a rather long name\nagents:\n  a: { model: "demo:writer" }\nswarm: { flow: a >> b }\n';
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.openLoaded(id);
  await meetConflict(page, () => api.changeFlow(id, (text) => text.replace("rather long", "quite long")));
  await page.getByRole("textbox", { name: "Flow name" }).fill("A flow with a very long name");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "This flow was changed elsewhere too" });
  await expect(dialog).toBeVisible();
  const other = await page.context().browser()?.newPage({ baseURL: app.url });
  await other?.goto(`/flows/${id}`);
  // Behind the dialog.
  const behind = { includeHidden: true, exact: true };
  const avatar = page.getByRole("list", { name: "People in this flow", ...behind });
  const merge = page.getByRole("button", { name: "Merge", ...behind });
  const more = page.getByRole("button", { name: "More", ...behind });
  await expect
    .poll(async () => {
      const boxes = await Promise.all([merge, avatar, more].map((control) => control.boundingBox()));
      const [mergeBox, avatarBox, moreBox] = boxes;
      if (!mergeBox || !avatarBox || !moreBox) return "not shown";
      if (!areApart(mergeBox, avatarBox)) return "covered";
      return moreBox.x + moreBox.width <= 390 ? "apart" : "off the screen";
    })
    .toBe("apart");
  await other?.close();
});
