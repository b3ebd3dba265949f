import { holdModel } from "../fixtures/held-model";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

test.use({ viewport: { width: 1600, height: 900 } });

const describeFlow = (model: string): string => `name: Two steps
agents:
  planner: { model: "${model}" }
  writer: { model: "demo:writer" }
swarm: { type: workflow, flow: planner >> writer }
`;

test("Stop, and Escape in the input, end a run", async ({ page, api, wire }) => {
  const planner = holdModel(wire);
  const { id } = await api.createFlow(describeFlow(planner.model));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runOn("looms");
  await expect(editor.runStatus("Running")).toBeVisible();
  await expect(editor.run).toHaveCount(0);
  // A click waits until the button is enabled.
  await editor.stop.click();
  await expect(editor.runStatus("Cancelled")).toBeVisible();
  await editor.startedBy(() => editor.input.press("Enter"));
  await expect(editor.runStatus("Running")).toBeVisible();
  await editor.input.press("Escape");
  await expect(editor.runStatus("Cancelled")).toBeVisible();
  planner.release();
});
