import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

const source = `name: Sums
agents:
  adder: { model: "demo:adder", tools: [calculator] }
swarm: { flow: adder }
`;

test("a tool that is switched off blocks flows with it in words; one that asks first asks in every flow", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(source);
  await page.goto("/settings/tools#tools");
  const tools = page.getByRole("region", { name: "Tools" });
  const use = tools.getByRole("combobox", { name: "Use of calculator" });
  const save = async (): Promise<void> => {
    await tools.getByRole("button", { name: "Save" }).click();
    await expect(tools.getByRole("status")).toHaveText("Saved.");
  };
  try {
    await use.selectOption("Off");
    const hosts = tools.getByLabel("Hosts that http_request may reach");
    await hosts.fill("https://example.org");
    await tools.getByRole("button", { name: "Save" }).click();
    await expect(tools.getByRole("status")).toContainText("expected a host such as example.org");
    await hosts.fill("*.Example.org, api.example.com");
    await save();
    await expect(hosts).toHaveValue("*.example.org\napi.example.com");
    await expectAccessible(page);

    const editor = new EditorPage(page);
    await editor.open(id);
    await expect(editor.problems).toContainText("switched off in this team");
    await editor.run.click();
    await expect(page.getByRole("dialog", { name: /cannot run/ })).toContainText("switched off in this team");

    await page.goto("/settings/tools#tools");
    await use.selectOption("Asks first");
    await save();
    const run = await api.startRun(id, "Calculate 1 + 1 with the calculator");
    await page.goto(`/flows/${id}?run=${run}`);
    await expect(page.getByText("calculator", { exact: false }).first()).toBeVisible();
    await api.waitForStep(run, "calculator", "WAITING");
  } finally {
    await page.request.put("/api/v1/settings/tools", {
      data: { switchedOff: [], needApproval: [], httpHosts: null },
    });
  }
});
