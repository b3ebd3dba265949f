import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { ApiUser } from "../fixtures/api-user";
import { expectAccessible } from "../fixtures/expect-accessible";
import { openBrowser, signIn, startTeamServer, type TeamServer } from "../fixtures/team-server";
import { expect, test } from "../fixtures/test";

test.describe.configure({ mode: "serial", timeout: 120_000 });

const source = `name: Market brief
agents:
  researcher: { model: "demo:a", instructions: "CANARY instructions" }
  writer: { model: "demo:a" }
swarm: { type: workflow, flow: researcher >> writer }
`;

let server: TeamServer;
let api: ApiUser;
/** Of the Owner. */
let page: Page;
let flow: string;

test.beforeAll(async ({ browser }) => {
  server = await startTeamServer({ SWARMLOOM_DEMO_SPEED: "0" });
  api = await new ApiUser(server, "ada").signUp(server.token);
  flow = String((await api.read("POST", "/api/v1/flows", { source })).id);
  page = await openBrowser(browser, server);
  await page.goto("/sign-in");
  await signIn(page, { email: "ada@example.org", password: "long enough ada" });
  await page.waitForURL(`${server.url}/`);
});
test.afterAll(async () => {
  await page.context().close();
  await server.stop();
});

async function openShare(where: "flow" | "run", id: string): Promise<void> {
  await page.goto(`/${where}s/${id}`);
  if (where === "run") return page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "More for this flow" }).click();
  await page.getByRole("menuitem", { name: "Share…" }).click();
}

async function createLink(): Promise<string> {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create link" }).click();
  await expect(dialog.getByRole("heading", { name: "The link is ready" })).toBeFocused();
  await expectAccessible(page);
  return (await dialog.getByRole("link", { name: "Open it" }).getAttribute("href")) ?? "";
}

test("a flow is shared, seen without an account, run with an input within its limits, and revoked", async ({
  browser,
}) => {
  await openShare("flow", flow);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Visitors may run it").check();
  await dialog.getByLabel("Runs in all").fill("1");
  await dialog.getByLabel("US dollars a run").fill("0.05");
  await expect(dialog).toContainText("At most $0.05 in all.");
  await expectAccessible(page);
  const link = await createLink();
  await expect(dialog.getByText("0 of 1 runs used, $0.05 each")).toBeVisible();

  const visitor = await openBrowser(browser, server);
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { name: "Market brief" })).toBeVisible();
  await expect(visitor.getByRole("link", { name: "Sign in" })).toBeVisible();
  await visitor.locator(".react-flow__node").filter({ hasText: "researcher" }).click();
  await expect(visitor.getByRole("complementary", { name: "researcher" })).toContainText("Instructions");
  await expectAccessible(visitor);
  await visitor.getByRole("button", { name: "Text", exact: true }).click();
  await expect(visitor.getByRole("region", { name: "Text of this flow" })).toContainText("researcher >> writer");
  await visitor.getByLabel("Input").fill("Looms in 2026");
  await visitor.getByRole("button", { name: "Run" }).click();
  const pane = visitor.getByRole("region", { name: "Run this flow" });
  await expect(pane).toContainText("pays for the run");
  await expect(pane).toContainText("Looms in 2026");
  await expect(pane).toContainText("No runs left.");
  await expect(visitor.getByRole("button", { name: "Run" })).toBeDisabled();
  await expectAccessible(visitor);
  const { runs } = await api.read("GET", `/api/v1/runs?flow=${flow}`);
  expect(runs).toMatchObject([{ startedBy: "Link to “Market brief”", status: "SUCCESS" }]);
  await expect(pane.getByRole("list", { name: "Agents" })).toHaveCount(0);
  const answer = await pane.textContent();
  await visitor.reload();
  await expect(visitor.getByLabel("Input")).toHaveValue("Looms in 2026");
  await expect(pane).toHaveText(answer ?? "");

  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(dialog.getByRole("button", { name: "Revoke" })).toHaveCount(0);
  expect((await visitor.goto(link))?.status()).toBe(404);
  await expect(visitor.getByRole("heading", { name: "This link cannot be used" })).toBeVisible();
  await expectAccessible(visitor);
  await visitor.context().close();
});

test("of a shared run only the chosen texts leave the server", async ({ browser }) => {
  const { id } = await api.read("POST", `/api/v1/flows/${flow}/runs`, { input: "CANARY input" });
  await expect.poll(async () => (await api.read("GET", `/api/v1/runs/${id}`)).status).toBe("SUCCESS");
  await openShare("run", String(id));
  const dialog = page.getByRole("dialog");
  const preview = dialog.getByRole("region", { name: "What visitors see" });
  await expect(preview).not.toContainText("They do not get");
  await dialog.getByLabel("Inputs").uncheck();
  await dialog.getByLabel("Answers").uncheck();
  await expect(preview).toContainText("They do not get its input and the flow and the answers.");
  await expectAccessible(page);
  const link = await createLink();

  const visitor = await openBrowser(browser, server);
  const bodies: Promise<string>[] = [];
  visitor.on("response", (response) => {
    if (!response.url().includes("/_next/static/")) bodies.push(response.text().catch(() => ""));
  });
  await visitor.goto(link);
  await expect(visitor.getByRole("treegrid").or(visitor.getByRole("tree")).first()).toBeVisible();
  await expect(visitor.getByText("Some texts are not shared.")).toBeVisible();
  await visitor.getByText("researcher", { exact: true }).first().click();
  await expect(visitor.getByText("This text is not shared.").first()).toBeVisible();
  await expectAccessible(visitor);
  const seen = (await Promise.all(bodies)).join("\n") + (await visitor.content());
  expect(seen).toContain("This text is not shared.");
  expect(seen).not.toContain("CANARY");
  await visitor.context().close();
});

test("a flow is shown in the gallery, with a picture for other sites, and copied with its lineage", async ({
  browser,
}) => {
  await openShare("flow", flow);
  const saved = page.waitForResponse((response) => response.request().method() === "PUT");
  await page.getByRole("dialog").getByLabel("Show in the public gallery").check();
  expect((await saved).status()).toBe(204);

  const visitor = await openBrowser(browser, server);
  await visitor.goto("/gallery");
  await expectAccessible(visitor);
  await visitor.getByRole("link", { name: "Market brief" }).click();
  await expect(visitor.locator(".react-flow__node").filter({ hasText: "writer" })).toBeVisible();
  await expect(visitor.getByRole("button", { name: /Copy.*to my team/ })).toHaveCount(0);
  await expectAccessible(visitor);
  const address = `${server.url}/gallery/${flow}`;
  await expect(visitor.locator('link[rel="canonical"]')).toHaveAttribute("href", address);
  await expect(visitor.locator('meta[property="og:title"]')).toHaveAttribute("content", "Market brief");
  const picture = await visitor.locator('meta[property="og:image"]').getAttribute("content");
  const answer = await visitor.request.get(picture ?? "");
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "image/png"]);
  expect((await answer.body()).byteLength).toBeGreaterThan(5_000);

  const guest = await new ApiUser(server, "gus").signUp(server.token);
  expect((await guest.send("GET", `/api/v1/flows/${flow}`)).status).toBe(404);
  await visitor.goto("/sign-in");
  await signIn(visitor, { email: "gus@example.org", password: "long enough gus" });
  await visitor.waitForURL(`${server.url}/`);
  await visitor.goto(address);
  await visitor.getByRole("button", { name: /Copy.*to my team/ }).click();
  await visitor.waitForURL(/\/flows\//);
  await expect(visitor.getByText("Copied from “Market brief” of My team")).toBeVisible();

  await page.getByRole("dialog").getByLabel("Show in the public gallery").uncheck();
  await expect.poll(async () => (await visitor.request.get(address)).status()).toBe(404);
  await visitor.context().close();
});

test("a shared flow is shown in a frame of another site, and no other page is", async ({ browser }) => {
  const { url } = await api.read("POST", `/api/v1/flows/${flow}/links`, {});
  const embed = String(url).replace("/s/", "/embed/");
  const frames = [embed, String(url), `${server.url}/sign-in`];
  const site = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      frames.map((src, index) => `<iframe title="f${index}" src="${src}" width="600" height="400"></iframe>`).join(""),
    );
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  const visitor = await openBrowser(browser, server);
  await visitor.goto(`http://127.0.0.1:${port}/`);
  await expect(visitor.frameLocator('[title="f0"]').locator(".react-flow__node").first()).toBeVisible();
  await expect(
    visitor.frameLocator('[title="f0"]').getByRole("link", { name: "Market brief on Swarmloom" }),
  ).toBeVisible();
  const refused = () => visitor.frames().filter((frame) => frame.url().startsWith("chrome-error:")).length;
  await expect.poll(refused).toBe(2);
  await visitor.context().close();
  site.close();
});
