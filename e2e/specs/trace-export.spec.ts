import { readRunFile } from "@/lib/core/trace/file/run-file";
import { expectAccessible, expectTabStops } from "../fixtures/expect-accessible";
import { readTraces } from "../fixtures/read-traces";
import { expect, test, traceSecret } from "../fixtures/trace-test";
import { SettingsPage } from "../pages/settings-page";

test.use({ demoSpeed: 200 });
test.describe.configure({ mode: "serial" });

const source = `name: Sent away
agents:
  a: { model: "demo:writer", tools: [calculator] }
  b: { model: "demo:critic" }
swarm: { type: workflow, flow: a >> b }
`;
/** Headers that only the team may read. */
const input = "Count the threads of our secret loom.";

test("a run is downloaded as a trace that OpenTelemetry can read, and as a file that needs no server", async ({
  api,
  request,
}) => {
  const flow = await api.createFlow(source);
  const id = await api.startRun(flow.id, input);
  const { state } = await api.waitForRun(id);
  const plain = await request.get(`/api/v1/runs/${id}/otlp`);
  expect(plain.headers()["content-disposition"]).toBe(`attachment; filename="swarmloom-run-${id}.otlp.json"`);
  const text = await plain.text();
  const spans = readTraces(text);
  expect(spans.length).toBe(state.nodes.length);
  expect(spans.map(({ name }) => name)).toContain("invoke_agent a");
  expect(text).not.toContain("secret loom");
  const content = await (await request.get(`/api/v1/runs/${id}/otlp?content=1`)).text();
  expect(readTraces(content).length).toBe(spans.length);
  expect(content).toContain("secret loom");
  expect((await request.get(`/api/v1/runs/${id}/otlp?content=maybe`)).status()).toBe(400);
  expect((await request.get("/api/v1/runs/none/otlp")).status()).toBe(404);

  const file = await request.get(`/api/v1/runs/${id}/file`);
  expect(file.headers()["content-disposition"]).toBe(`attachment; filename="swarmloom-run-${id}.json"`);
  const written = await file.text();
  expect(readRunFile(written)).toMatchObject({ run: { id, status: "SUCCESS", input: { text: input } }, source });
  expect((await request.get("/api/v1/runs/none/file")).status()).toBe(404);
  for (const exported of [content, written]) expect(exported).not.toContain(traceSecret);
});

test("by keyboard: a collector is configured and tested, and receives the next run", async ({
  page,
  api,
  collector,
}) => {
  const settings = new SettingsPage(page);
  await settings.open();
  await settings.address.focus();
  await page.keyboard.type(collector.url);
  await page.keyboard.press("Tab");
  await expect(settings.addHeader).toBeFocused();
  await page.keyboard.press("Enter");
  await settings.header(1).focus();
  await page.keyboard.type("authorization");
  await page.keyboard.press("Tab");
  await page.keyboard.type("OPENAI_API_KEY");
  await settings.test.focus();
  await page.keyboard.press("Enter");
  await expect(settings.answer).toContainText("begins with SWARMLOOM_OTLP_");
  expect(collector.bodies).toEqual([]);

  await settings.variable(1).fill("SWARMLOOM_OTLP_AUTH");
  await settings.test.focus();
  await page.keyboard.press("Enter");
  await expect(settings.answer).toContainText("Status 200: the collector took the span.");
  expect(collector.spans.map(({ name }) => name)).toEqual(["swarmloom test"]);
  expect(collector.headers.map(({ authorization }) => authorization)).toEqual([traceSecret]);

  await settings.enabled.focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await expect(settings.save).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(settings.answer).toHaveText("Saved. Runs that end from now on are sent.");
  expect(await page.content()).not.toContain(traceSecret);

  const flow = await api.createFlow(source);
  const id = await api.startRun(flow.id, input);
  const { state } = await api.waitForRun(id);
  await expect.poll(() => collector.spans.length).toBe(1 + state.nodes.length);
  const [, ...spans] = collector.spans;
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([id.replaceAll("-", "")]));
  expect(collector.bodies.join()).not.toContain("secret loom");
  expect(collector.problems).toEqual([]);
  await page.reload();
  await expect(settings.header(1)).toHaveValue("authorization");
  await expect(page.getByText(/Last run sent:/)).toBeVisible();
  await expect(page.getByText("none yet")).toBeHidden();
});

test("the error of a collector is shown word for word", async ({ page, collector }) => {
  const settings = new SettingsPage(page);
  await settings.open();
  collector.answer = { status: 403, body: `not you, ${traceSecret}` };
  await settings.test.click();
  await expect(settings.answer).toContainText("The collector answered with status 403: not you, [key]");
  collector.answer = { status: 200, body: "{}" };
  await settings.address.fill("http://127.0.0.1:9/v1/traces");
  await settings.test.click();
  await expect(settings.answer).toContainText("SWARMLOOM_TRACE_ALLOW");
});

for (const width of [1440, 390])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("the settings are accessible", async ({ page }) => {
      const settings = new SettingsPage(page);
      await settings.open();
      await expectTabStops(page, 10);
      await settings.addHeader.click();
      await expectAccessible(page);
    });
  });
