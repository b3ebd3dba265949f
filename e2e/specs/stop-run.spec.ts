import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

/** Runs last until they are stopped. */
test.use({ demoSpeed: 0.3, viewport: { width: 1600, height: 900 } });

const source = `name: Two steps
agents:
  planner: { model: "demo:planner" }
  writer: { model: "demo:writer" }
swarm: { type: workflow, flow: planner >> writer }
`;

test("Stop, and Escape in the input, end a run", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runOn("demo: slow");
  await expect(editor.runStatus("Running")).toBeVisible();
  await expect(editor.run).toHaveCount(0);
  await editor.stop.click();
  await expect(editor.runStatus("Cancelled")).toBeVisible();
  await editor.startedBy(() => editor.input.press("Enter"));
  await expect(editor.runStatus("Running")).toBeVisible();
  await editor.input.press("Escape");
  await expect(editor.runStatus("Cancelled")).toBeVisible();
});
