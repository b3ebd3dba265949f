import type { Page } from "@playwright/test";
import type { Api } from "../fixtures/api";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { FlowBar } from "../pages/flow-bar";

const source = `name: Bar
agents:
  planner: { model: "demo:planner" }
  ann: { model: "demo:assistant" }
  ben: { model: "demo:assistant" }
  writer: { model: "demo:writer" }
groups:
  review: { type: parallel, flow: ann | ben }
swarm: { flow: planner >> review >> writer }
`;
const line = "planner >> review >> writer";

/** A new flow in the editor, with the line editor loaded. */
async function openBar(page: Page, api: Api, text: string) {
  const { id } = await api.createFlow(text);
  const editor = new EditorPage(page);
  const bar = new FlowBar(page);
  await editor.open(id);
  await bar.ready();
  return { id, editor, bar };
}

test("a plain field is shown until the line editor is loaded, which continues at the same caret position", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(source);
  const bar = new FlowBar(page);
  const arrive = await bar.holdBack();
  const editor = new EditorPage(page);
  // The page counts as loaded only after the delayed script has arrived.
  await page.goto(`/flows/${id}`, { waitUntil: "domcontentloaded" });
  await editor.saved();
  await expect(editor.flowBar).toHaveValue(line);
  const before = await editor.flowBar.boundingBox();
  await editor.flowBar.click();
  await page.keyboard.press("Home");
  await page.keyboard.type("ann >> ");
  arrive();
  await bar.ready();
  await expect(editor.flowBar).toBeFocused();
  await editor.expectFlow(`ann >> ${line}`);
  expect(await editor.flowBar.boundingBox()).toEqual(before);
  await page.keyboard.type("ben >> ");
  await editor.expectFlow(`ann >> ben >> ${line}`);
  expect(await api.getSource(id)).toBe(source);
  await page.keyboard.press("Enter");
  await expect.poll(() => api.getSource(id)).toContain(`flow: ann >> ben >> ${line} }`);
});

test("caret and selection follow each other, and the bar keeps its position while the user types", async ({
  page,
  api,
}) => {
  const { editor, bar } = await openBar(page, api, source);
  await editor.card("writer").click();
  await expect(bar.marked).toHaveText("writer");
  await editor.card("ben").click();
  await expect(bar.marked).toHaveText("review");
  await bar.word("planner").click();
  await expect(editor.card("planner")).toHaveAttribute("aria-current", "true");
  await bar.word("review").click();
  await expect(editor.part("Parallel group review")).toHaveAttribute("aria-current", "true");
  await editor.expectFlow(line);
  await editor.fit.click();
  await expect(bar.of("review")).toHaveText("ann | ben");
  await bar.word("ann", "review").click();
  await expect(editor.card("ann")).toHaveAttribute("aria-current", "true");
  await expect(bar.of("review")).toBeFocused();
});

test("an invalid line stays with its reason; a key applies the fix, and the shared history undoes it", async ({
  page,
  api,
}) => {
  const { id, editor, bar } = await openBar(page, api, source);
  await editor.flowBar.fill("planner >> (review | writr");
  await page.keyboard.press("Enter");
  await expect(bar.refusal).toContainText("Expected a )");
  await expect(editor.flowBar).toHaveAccessibleDescription(/Expected a \)/);
  await editor.fit.click();
  await editor.expectFlow("planner >> (review | writr");
  expect(await api.getSource(id)).toBe(source);

  await editor.flowBar.click();
  await page.keyboard.press("End");
  await page.keyboard.press("Control+.");
  await editor.expectFlow("planner >> (review | writer");
  await page.keyboard.press("Control+.");
  await editor.expectFlow("planner >> (review | writer)");
  await page.keyboard.press("ControlOrMeta+z");
  await editor.expectFlow("planner >> (review | writer");
  await page.keyboard.type(")");
  await page.keyboard.press("Enter");
  await expect(bar.refusal).toHaveCount(0);
  await expect.poll(() => api.getSource(id)).toContain("flow: planner >> (review | writer) }");
  await page.keyboard.press("ControlOrMeta+z");
  await editor.expectFlow(line);
  await expect(editor.undo).toBeDisabled();
  await page.keyboard.press("ControlOrMeta+y");
  await editor.expectFlow("planner >> (review | writer)");
  await page.keyboard.type(" >> ann");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await editor.expectFlow("planner >> (review | writer)");
});

test("names are suggested and described; a new name becomes an agent", async ({ page, api }) => {
  const { id, editor, bar } = await openBar(page, api, source.replace(" >> writer }", " }"));
  await bar.word("review").hover();
  await expect(page.getByText("Members: ann, ben")).toBeVisible();
  await editor.flowBar.click();
  await page.keyboard.press("End");
  await page.keyboard.type(" >> wr");
  await expect(bar.offers).toHaveText([/^writer\s*Agent, demo:writer$/, /^wr\s*New agent$/]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await editor.expectFlow(line);
  await page.keyboard.type(" >> editor");
  await bar.offers.filter({ hasText: /^editor\s*New agent$/ }).click();
  await page.keyboard.press("Enter");
  await expect(editor.card("editor")).toBeVisible();
  await expect.poll(() => api.getSource(id)).toContain(`flow: ${line} >> editor }`);
  await editor.undo.click();
  await expect.poll(() => api.getSource(id)).toContain("flow: planner >> review }");
  await expect(editor.card("editor")).toHaveCount(0);
});

for (const width of [1440, 390])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("is one tab stop, and accessible with suggestions, a long line and a refusal", async ({ page, api }) => {
      const { editor, bar } = await openBar(page, api, source);
      await editor.flowBar.fill(Array.from({ length: 80 }, (_, index) => `agent_${index}`).join(" >> "));
      await page.keyboard.type(" | wri");
      await expect(bar.offers.first()).toHaveText(/^writer/);
      await expectAccessible(page);
      await page.keyboard.press("Enter");
      await expect(bar.refusal).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("Shift+Tab");
      await expect(editor.flowBar).not.toBeFocused();
      await page.keyboard.press("Tab");
      await expect(editor.flowBar).toBeFocused();
      await page.keyboard.press("Tab");
      await expect(bar.goBack).toBeFocused();
      await page.keyboard.press("Enter");
      await editor.expectFlow(line);
    });
  });

test("the number of problems leads to the first of them", async ({ page, api }) => {
  await page.setViewportSize({ width: 1800, height: 900 });
  const { editor } = await openBar(
    page,
    api,
    source.replace("demo:writer", "openai:unlisted").replace("demo:planner", "nobody:x"),
  );
  await page.getByRole("button", { name: "1 error, 1 warning", exact: true }).click();
  await expect(editor.problems.getByRole("listitem").first().getByRole("button").first()).toBeFocused();
});
