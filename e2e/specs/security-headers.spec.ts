import type { Page } from "@playwright/test";
import { type RawAnswer, sendRaw } from "../fixtures/raw-request";
import { expect, test } from "../fixtures/test";

test.use({ demoSpeed: 200 });

const source = `name: Headers
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
swarm: { type: workflow, flow: a >> b }
`;

const common = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": expect.stringContaining("camera=()"),
};

const policyOf = ({ headers }: RawAnswer): string => String(headers["content-security-policy"]);
const nonceOf = (answer: RawAnswer): string => /'nonce-([\w-]{20,})'/.exec(policyOf(answer))?.[1] ?? "";

test("every page has its own nonce on all of its scripts, and inline scripts are not allowed", async ({ api, app }) => {
  const { id } = await api.createFlow(source);
  const run = await api.waitForRun(await api.startRun(id, "Looms"));
  const nonces = new Set<string>();
  const paths = [
    "/",
    "/runs",
    "/settings/runs",
    "/runs/open",
    `/flows/${id}`,
    `/runs/${run.id}`,
    "/nothing",
    "/runs/nothing",
  ];
  for (const path of paths) {
    const answer = await sendRaw(app.url, { path, headers: { "x-nonce": "chosen", "content-security-policy": "" } });
    expect([path, answer.status, answer.headers]).toEqual([
      path,
      path.endsWith("nothing") ? 404 : 200,
      expect.objectContaining(common),
    ]);
    const nonce = nonceOf(answer);
    const scripts = policyOf(answer)
      .split("; ")
      .find((rule) => rule.startsWith("script-src"));
    expect(scripts).toBe(`script-src 'self' 'nonce-${nonce}'`);
    const tags = [...answer.body.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(tags.length).toBeGreaterThan(0);
    expect(tags.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(paths.length);
});

test("responses other than pages never execute anything: API, texts, events, files, static, refusals", async ({
  api,
  app,
}) => {
  const { id } = await api.createFlow(source);
  const run = await api.waitForRun(await api.startRun(id, "<script>alert(1)</script>"));
  const step = run.state.nodes.find(({ kind }) => kind === "agent")?.id;
  const page = await sendRaw(app.url, { path: "/" });
  const asset = /"(\/_next\/static\/[^"?]+\.js)/.exec(page.body)?.[1] ?? "";
  const expected: [path: string, status: number, type: RegExp][] = [
    ["/api/health", 200, /^application\/json/],
    [`/api/v1/runs/${run.id}`, 200, /^application\/json/],
    [`/api/v1/runs/${run.id}/nodes/${step}/texts/input`, 200, /^text\/plain; charset=utf-8/],
    [`/api/v1/runs/${run.id}/nodes/${step}/texts/input?download=1`, 200, /^text\/plain/],
    [`/api/v1/runs/${run.id}/events`, 200, /^text\/event-stream/],
    [`/api/v1/runs/${run.id}/file`, 200, /^application\/json/],
    ["/api/v1/runs/export.csv", 200, /^text\/csv/],
    ["/api/v1/runs/nothing", 404, /^application\/json/],
    ["/api/nothing", 404, /^application\/json/],
    ["/api/v1/runs/%", 400, /^application\/json/],
    [asset, 200, /javascript/],
    ["/_next/static/nothing.js", 404, /^text\/plain/],
  ];
  for (const [path, status, type] of expected) {
    const answer = await sendRaw(app.url, { path });
    expect([path, answer.status, answer.headers]).toEqual([
      path,
      status,
      expect.objectContaining({ ...common, "content-type": expect.stringMatching(type) }),
    ]);
    expect([path, policyOf(answer)]).toEqual([path, expect.stringMatching(/^default-src 'none';.* sandbox$/)]);
  }
});

test("a refusal is a page with the headers of a page", async ({ app }) => {
  const answer = await sendRaw(app.url, { path: "/", headers: { host: "swarms.example" } });
  expect(answer.headers).toMatchObject({
    ...common,
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
  });
  expect(nonceOf(answer)).not.toBe("");
});

/** Injects scripts into the page as a vulnerability would; returns those that ran. */
const inject = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const ran: string[] = [];
    Object.assign(window, { ran });
    const script = document.createElement("script");
    script.textContent = "ran.push('element')";
    document.body.append(script);
    const box = document.createElement("div");
    box.innerHTML = `<img src="/nothing.png" onerror="ran.push('handler')"><a id="hole" href="javascript:ran.push('address')">x</a>`;
    document.body.append(box);
    document.getElementById("hole")?.click();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return ran;
  });

test("an injected script does not run", async ({ browser, app }) => {
  const page = await browser.newPage();
  await page.goto(app.url);
  expect(await inject(page)).toEqual([]);
  await page.close();
});

// The fixture of the page fails each of these tests, as every other one, when the browser reports a violation.
test("list, editor, run, comparison, settings and opened file work within their policy", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const runs = [await api.startRun(id, "Looms"), await api.startRun(id, "Looms")];
  for (const run of runs) await api.waitForRun(run);
  await page.goto("/");
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(page).toHaveURL(/\/runs$/);
  await page.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await page.getByRole("link", { name: "Flows", exact: true }).click();
  await page.getByRole("link", { name: "Headers" }).first().click();
  await expect(page).toHaveURL(/\/flows\//);
  for (const address of [
    `/flows/${id}`,
    `/runs/${runs[0]}`,
    `/runs/compare?runs=${runs.join(",")}`,
    "/runs/open",
    "/nothing",
  ]) {
    await page.goto(address);
    await page.waitForLoadState("networkidle");
  }
});

test("the theme is set by its script before the first paint", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});
