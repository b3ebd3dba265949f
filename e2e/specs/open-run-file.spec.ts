import type { APIRequestContext } from "@playwright/test";
import { type RunFile, readRunFile } from "@/lib/core/trace/file/run-file";
import { writeRunFile } from "@/lib/core/trace/testing/run.samples";
import type { Api } from "../fixtures/api";
import { expectAccessible, expectTabStops } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { KeyboardEditor } from "../pages/keyboard-editor";
import { OpenRunPage, toFile } from "../pages/open-run-page";
import { RunListPage } from "../pages/run-list-page";

test.use({ demoSpeed: 200 });

const source = `name: Taken along
agents:
  planner: { model: "demo:planner" }
  writer: { model: "demo:writer" }
swarm: { type: workflow, flow: planner >> writer }
`;

/** The file of a run, as a user downloads it. */
async function download(request: APIRequestContext, id: string): Promise<RunFile> {
  const read = readRunFile(await (await request.get(`/api/v1/runs/${id}/file`)).text());
  if ("problem" in read) throw new Error(read.problem);
  return read;
}

async function makeFile(api: Api, request: APIRequestContext, text = source): Promise<RunFile> {
  const flow = await api.createFlow(text);
  const id = await api.startRun(flow.id, "Count the threads.");
  await api.waitForRun(id);
  return download(request, id);
}

/** The file with a long answer of its last agent. */
function withLongAnswer(file: RunFile): RunFile {
  const output = { text: `${"woven ".repeat(5000)}the last thread` };
  const nodes = file.nodes.map((node) => (node.name === "writer" ? { ...node, output } : node));
  return { ...file, nodes };
}

test("by keyboard alone: a run file is opened from the list, and read in four views", async ({
  page,
  api,
  request,
}) => {
  const file = withLongAnswer(await makeFile(api, request));
  const asked: string[] = [];
  const opened = new OpenRunPage(page);
  const keyboard = new KeyboardEditor(page);
  await new RunListPage(page).open();
  await keyboard.goTo(page.getByRole("link", { name: "Open a run file" }));
  await keyboard.press("Enter");
  await expect(page).toHaveURL(/\/runs\/open$/);
  page.on("request", (one) => {
    const { pathname } = new URL(one.url());
    // Every page asks for its inbox once it is idle.
    if (pathname === "/api/v1/inbox/unread") return;
    if (pathname.startsWith("/api/") || one.method() !== "GET") asked.push(`${one.method()} ${one.url()}`);
  });
  // A key that comes before the page is hydrated is lost: on a busy machine the first one may be.
  await expect(async () => {
    await keyboard.goTo(opened.choose);
    const chooser = page.waitForEvent("filechooser", { timeout: 3000 });
    await keyboard.press("Enter");
    await (await chooser).setFiles(toFile(writeRunFile(file), "taken-along.json"));
  }).toPass();
  await expect(opened.heading).toHaveText("Taken along");
  await expect(page.getByText("From the file taken-along.json")).toBeFocused();
  for (const name of ["Cancel", "Run again", "Run actions"])
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Taken along" })).toHaveCount(0);

  await keyboard.goTo(opened.run.steps);
  await expect(opened.run.row("Agent writer")).toBeVisible();
  await keyboard.press("End", "ArrowLeft");
  await expect(opened.step.detail.getByRole("heading", { name: "writer" })).toBeVisible();
  await expect(opened.step.panel).toContainText("the last thread");

  await keyboard.goTo(opened.view("Flame graph"));
  await keyboard.press("Enter");
  await expect(page.getByRole("application", { name: /flame/i })).toBeVisible();
  await keyboard.goTo(opened.view("Canvas"));
  await keyboard.press("Enter");
  await expect(page.getByRole("article", { name: "Agent writer" })).toHaveAccessibleDescription(/Succeeded/);
  await expect(page.getByRole("article", { name: "Agent writer" })).toHaveAttribute("aria-current", "true");
  await keyboard.goTo(opened.view("Conversation"));
  await keyboard.press("Enter");
  await expect(page.getByRole("grid", { name: "Conversation" })).toContainText("Count the threads.");
  await expect(page).toHaveURL(/\/runs\/open\?.*view=conversation/);
  expect(asked).toEqual([]);
});

test("step details are complete: messages, request, the previous call, and texts as files", async ({
  page,
  api,
  request,
}) => {
  const text = `name: Asked
agents:
  researcher: { model: "openai:gpt-4.1-mini", instructions: You research., tools: [calculator] }
swarm: { type: workflow, flow: researcher }
`;
  const opened = new OpenRunPage(page);
  const file = await makeFile(api, request, text);
  await opened.open();
  await opened.give(writeRunFile(file));
  await opened.run.row("Model call").nth(1).click();
  for (const [tab, words] of [
    ["Messages sent", "Count the threads."],
    ["Request", "gpt-4.1-mini"],
    ["Raw answer", '"object": "response"'],
    ["Instruction changes", "Same as in the previous call."],
  ] as const) {
    await opened.step.showTab(tab);
    await expect(opened.step.panel).toContainText(words);
  }
  await opened.step.showTab("Answer");
  const [saved] = await Promise.all([page.waitForEvent("download"), opened.step.download.click()]);
  expect(saved.suggestedFilename()).toMatch(/^step-\d+-output\.txt$/);
});

test("an unreadable file is explained in a sentence, and the page keeps working", async ({ page, api, request }) => {
  const file = await makeFile(api, request);
  const text = writeRunFile(file);
  const opened = new OpenRunPage(page);
  await opened.open();
  await opened.give(text.slice(0, 1000), "half.json");
  await expect(opened.problem).toHaveText(
    "half.json: Expected a run file of Swarmloom, found a text that is no JSON, or the beginning of one. Download the run again and open that file as it is.",
  );
  await expect(opened.choose).toBeVisible();
  await opened.drop(text);
  await expect(opened.heading).toHaveText("Taken along");
  await expect(opened.problem).toHaveCount(0);
  await opened.run.row("Agent writer").click();
  await expect(page).toHaveURL(/node=\d/);

  // An invalid file leaves the shown run; a valid one replaces it and resets the view.
  await opened.give("{}", "other.json");
  await expect(opened.problem).toContainText("other.json: Expected a run file of Swarmloom, found other JSON.");
  await expect(opened.run.row("Agent writer")).toBeVisible();
  await opened.give(writeRunFile({ ...file, run: { ...file.run, flowName: "Another one" } }), "another.json");
  await expect(opened.heading).toHaveText("Another one");
  await expect(opened.problem).toHaveCount(0);
  await expect(page).toHaveURL(/\/runs\/open$/);
});

test("the URL selects what is shown first; a run without steps shows an empty state", async ({
  page,
  api,
  request,
}) => {
  const file = await makeFile(api, request);
  const opened = new OpenRunPage(page);
  await opened.open("?view=canvas");
  await opened.give(writeRunFile(file));
  await expect(page.getByRole("article", { name: "Agent writer" })).toBeVisible();
  await opened.give(writeRunFile({ ...file, nodes: [] }));
  await expect(page.getByText("This run has no steps.")).toBeVisible();
});

test("a run that waited for a user stays unchanged and cannot be answered here", async ({ page, api, request }) => {
  const flow = await api.createFlow(`name: Asks
agents:
  writer: { model: "demo:writer" }
approvals: { gate: { message: "Go on?" } }
swarm: { type: workflow, flow: gate >> writer }
`);
  const id = await api.startRun(flow.id, "Count the threads.");
  await api.waitForQuestion(id);
  const file = await download(request, id);
  const opened = new OpenRunPage(page);
  await opened.open("?node=2");
  await opened.give(writeRunFile(file));
  await expect(page.getByText("The run was still live when the file was written.")).toBeVisible();
  await expect(opened.step.detail.getByRole("heading", { name: "gate" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Questions" })).toHaveCount(0);
  await opened.step.showTab("Notes");
  await expect(opened.step.panel).toContainText("Go on?");
  await opened.run.row("Swarm Asks").click();
  await opened.step.showTab("Answer");
  await expect(opened.step.panel).toContainText("No agent was running when the file was written.");
});

for (const width of [1440, 390])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("is accessible: empty, with a problem, and with a run", async ({ page, api, request }) => {
      const file = await makeFile(api, request);
      const opened = new OpenRunPage(page);
      await opened.open();
      await expectTabStops(page, 5);
      await expectAccessible(page);
      await opened.give("{", "broken.json");
      await expect(opened.problem).toBeVisible();
      await expectAccessible(page);
      await opened.give(writeRunFile(file), "taken-along.json");
      await expect(opened.run.row("Agent writer")).toBeVisible();
      await expectAccessible(page);
    });
  });
