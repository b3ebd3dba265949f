import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

test.use({ demoSpeed: 200 });

const source = `name: Versioned\nagents:\n  planner: { model: "demo:p" }\n  writer: { model: "demo:w" }\nswarm: { flow: planner >> writer }\n`;

test("an older version is compared, named and restored, and undo takes it back", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  await api.changeFlow(id, (text) => text.replace("writer: {", "poet: {").replace(">> writer", ">> poet"));
  await page.goto(`/flows/${id}`);
  const editor = new EditorPage(page);
  await expect(editor.card("poet")).toBeVisible();
  await page.getByRole("button", { name: "Versions", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Versions" });
  await expect(dialog.getByRole("status")).toHaveText("writer renamed to poet");
  const picture = dialog.getByRole("img", { name: "Picture of the older version" });
  await expect(picture.getByText("planner", { exact: true })).toHaveCSS("font-family", /^"Inter Variable"/);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Text", exact: true }).click();
  await expect(dialog.getByRole("textbox", { name: "Older text" })).toContainText("writer");
  await dialog.getByRole("button", { name: "Name this version" }).click();
  await dialog.getByRole("textbox", { name: "Name of the version" }).fill("First draft");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("list", { name: "Versions" })).toContainText("First draft");
  await dialog.getByRole("button", { name: "Restore this version" }).click();
  await expect(editor.card("writer")).toBeVisible();
  await expect.poll(() => api.getSource(id)).toBe(source);
  await editor.undo.click();
  await expect(editor.card("poet")).toBeVisible();
  await expect.poll(() => api.getSource(id)).toContain("poet");
  await page.getByRole("button", { name: "Versions", exact: true }).click();
  await expect(dialog.getByRole("list", { name: "Versions" })).toContainText("Restored the version First draft");
});

test("the only version of a flow is shown without a comparison", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  await new EditorPage(page).open(id);
  await page.getByRole("button", { name: "Versions", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Versions" });
  await expect(dialog.getByRole("img", { name: "Picture of the only version" })).toBeVisible();
  await expect(dialog.getByText("Compared with")).toHaveCount(0);
  await expect(dialog.getByRole("combobox")).toHaveCount(0);
});

for (const width of [1440, 390])
  test(`a card has one size in the pictures of two versions, ${width} px wide`, async ({ page, api }) => {
    await page.setViewportSize({ width, height: 844 });
    const { id } = await api.createFlow(source);
    const names = ["planner", "writer", "s2", "s3", "s4", "s5", "s6", "s7", "s8"];
    const agents = names.map((name) => `  ${name}: { model: "demo:p" }\n`).join("");
    await api.changeFlow(id, () => `name: Versioned\nagents:\n${agents}swarm: { flow: ${names.join(" >> ")} }\n`);
    await new EditorPage(page).open(id);
    if (width === 1440) await page.getByRole("button", { name: "Versions", exact: true }).click();
    else {
      await page.getByRole("button", { name: "More for this flow" }).click();
      await page.getByRole("menuitem", { name: "Versions" }).click();
    }
    const sizes = ["older", "newer"].map(async (version) => {
      const name = page.getByRole("img", { name: `Picture of the ${version} version` }).getByText("planner");
      const box = await name.boundingBox();
      return [box?.width ?? 0, box?.height ?? 0].map(Math.round);
    });
    const [older, newer] = await Promise.all(sizes);
    expect(older?.[0]).toBeGreaterThan(0);
    expect(older).toEqual(newer);
  });
