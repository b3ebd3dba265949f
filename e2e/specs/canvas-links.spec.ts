import { expect, test } from "../fixtures/test";
import { CanvasLinks } from "../pages/canvas-links";
import { EditorPage } from "../pages/editor-page";

test.use({ demoSpeed: 8, isTextOpen: false });

const agents = (...names: string[]): string =>
  `agents:\n${names.map((name) => `  ${name}: { model: "demo:assistant" }\n`).join("")}`;
const rounds = `name: Rounds
${agents("reader", "yes_man", "no_man", "editor", "critic")}branches:
  choice: { condition: 'contains("refund", "refund")', if_true: yes_man, if_false: no_man }
loops:
  refine: { body: editor >> critic, count: 3 }
swarm: { flow: reader >> choice >> refine }
`;

test("the links that a run took are marked, with a count from two up", async ({ page, api }) => {
  const { id } = await api.createFlow(rounds);
  const editor = new EditorPage(page);
  const links = new CanvasLinks(page);
  await editor.open(id);
  await expect(links.line("Link from reader to choice")).not.toHaveClass(/link-taken/);
  await expect(page.getByText("at most 3 rounds")).toBeVisible();
  const run = await api.startRun(id, "go");
  await api.waitForRun(run);
  await page.goto(`/flows/${id}?run=${run}`);

  await expect(links.line("Link from reader to choice")).toHaveClass(/link-taken/);
  await expect(links.line("Link from editor to critic")).toHaveClass(/link-taken/);
  await expect(page.getByRole("img", { name: "Taken 3 times" })).toHaveText("3×");
  await expect(page.getByRole("img", { name: "Repeated 2 times" })).toHaveText("2×");
  const taken = page.locator(".link-lane.link-taken");
  await expect(page.locator(".link-lane")).toHaveCount(2);
  await expect(taken).toHaveCount(1);
  await expect(page.locator(".link-label.link-taken")).toHaveText("yes");
  const layers = [taken, page.locator(".link-lane:not(.link-taken)")].map((line) => links.layerOf(line));
  const [takenLayer = 0, otherLayer = 0] = await Promise.all(layers);
  expect(takenLayer).toBeGreaterThan(otherLayer);
});

test("each mode has a shape: one line there and back, flags, spokes, limits", async ({ page, api }) => {
  const members = agents("a", "b", "c");
  const desk = await api.createFlow(
    `name: Desk\n${members}swarm: { type: handoff, agents: [a, b, c], edges: [[a, b], [b, a], [a, c]] }\n`,
  );
  const editor = new EditorPage(page);
  const links = new CanvasLinks(page);
  await editor.open(desk.id);
  await expect(editor.card("a").getByText("Start")).toBeVisible();
  await expect(page.getByText("at most 10 handoffs")).toBeVisible();
  // The head of a link ends a little before its port.
  const toNear = (point: number[]) => point.map((value) => expect.closeTo(value, -1));
  // Cards move to their places when the flow opens.
  await expect(async () => {
    const there = await links.endsOf("a may hand over to b");
    const back = await links.endsOf("b may hand over to a");
    expect(back).toEqual({ start: toNear(there.end), end: toNear(there.start) });
  }).toPass({ timeout: 15_000 });

  const crew = await api.createFlow(`name: Crew\n${members}swarm: { type: team, agents: [a, b, c] }\n`);
  await editor.open(crew.id);
  await expect(editor.card("a").getByText("Lead")).toBeVisible();
  const [lead, worker] = [await editor.boxOf(editor.card("a")), await editor.boxOf(editor.card("b"))];
  expect(worker.y).toBeGreaterThan(lead.y + lead.height);
  await expect(page.getByRole("img", { name: "a may call b", exact: true }).locator(".link-head")).toHaveCount(0);
});

for (const theme of ["light", "dark"] as const)
  test(`lines, dots and frames have a contrast of 3:1 in the ${theme} theme`, async ({ page, api }) => {
    await page.emulateMedia({ colorScheme: theme });
    const { id } = await api.createFlow(rounds);
    const links = new CanvasLinks(page);
    await new EditorPage(page).open(id);
    await expect(links.line("Link from reader to choice")).toHaveCSS("stroke-width", "2px");
    const canvas = page.locator("#flow-canvas");
    for (const [selector, property] of [
      [".link", "stroke"],
      [".link-head", "fill"],
      [".card-end", "borderTopColor"],
      [".frame[data-kind=loop]", "borderTopColor"],
      [".frame-pill", "borderTopColor"],
      [".frame-diamond path", "stroke"],
    ] as const)
      expect(await links.contrast(canvas.locator(selector), property), selector).toBeGreaterThanOrEqual(3);
  });
