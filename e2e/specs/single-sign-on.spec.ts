import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import Provider from "oidc-provider";
import { findFreePort } from "../fixtures/app-server";
import { openBrowser, signUp, startTeamServer, toPerson } from "../fixtures/team-server";

const client = { client_id: "swarmloom", client_secret: "a secret of the test" };

/** A provider at which every login name has an account. Returns the function that stops it. */
async function startProvider(issuer: string, redirectUri: string): Promise<() => Promise<void>> {
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, name: sub, email: `${sub}@example.org`, email_verified: true }),
    }),
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(Number(new URL(issuer).port), "localhost", resolve));
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

test("an account of the operator's provider of OpenID Connect signs in", async ({ browser }) => {
  test.setTimeout(120_000);
  const issuer = `http://localhost:${await findFreePort()}`;
  const server = await startTeamServer({
    SWARMLOOM_OIDC_ISSUER: issuer,
    SWARMLOOM_OIDC_CLIENT_ID: client.client_id,
    SWARMLOOM_OIDC_CLIENT_SECRET: client.client_secret,
    SWARMLOOM_OIDC_NAME: "Loom Works",
  });
  const stopProvider = await startProvider(issuer, `${server.url}/api/auth/callback/oidc`);
  try {
    const owner = await openBrowser(browser, server);
    await signUp(owner, `/sign-up#token=${server.token}`, toPerson("Ada"));
    const page = await openBrowser(browser, server);
    await page.goto("/sign-in?next=/account");
    await expect(page.getByRole("button", { name: "Continue with GitHub" })).toHaveCount(0);
    await page.getByRole("button", { name: "Continue with Loom Works" }).click();
    await page.waitForURL(`${issuer}/**`);
    await page.locator("[name=login]").fill("dora");
    await page.locator("[name=password]").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(`${server.url}/account`);
    await expect(page.getByRole("region", { name: "Profile" })).toContainText("dora@example.org");
    await expect(page.getByRole("region", { name: "Profile" })).toContainText("You sign in with Loom Works.");
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Account of dora, team dora’s team" })).toBeVisible();
    await page.goto("/sign-in?error=access_denied&error_description=<b>evil</b>");
    await expect(page).toHaveURL(`${server.url}/`);
  } finally {
    await stopProvider();
    await server.stop();
  }
});

/** What GitHub answers of one user, at a loopback address. Returns the address, what it was asked, and the function that stops it. */
async function startGitHub() {
  const asked: string[] = [];
  const email = "gil@example.org";
  const answers: Record<string, object> = {
    "/github.com/login/oauth/access_token": { access_token: "gho_test", token_type: "bearer", scope: "user:email" },
    "/api.github.com/user": {
      id: 7,
      login: "gil",
      name: "Gil",
      email: null,
      avatar_url: "https://example.org/gil.png",
    },
    "/api.github.com/user/emails": [{ email, primary: true, verified: true, visibility: "private" }],
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    asked.push(pathname);
    response.writeHead(pathname in answers ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answers[pathname] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}`, asked, stop: () => new Promise((resolve) => server.close(resolve)) };
}

test("an account of GitHub signs in", async ({ browser }) => {
  test.setTimeout(120_000);
  const gitHub = await startGitHub();
  const server = await startTeamServer({
    SWARMLOOM_GITHUB_CLIENT_ID: "a client",
    SWARMLOOM_GITHUB_CLIENT_SECRET: "a secret of the test",
    SWARMLOOM_OPEN_SIGN_UP: "1",
    GITHUB_STAND_IN: gitHub.url,
    NODE_OPTIONS: `--import ${pathToFileURL(`${import.meta.dirname}/../fixtures/reroute-github.mjs`).href}`,
  });
  try {
    const owner = await openBrowser(browser, server);
    await signUp(owner, `/sign-up#token=${server.token}`, toPerson("Ada"));
    const page = await openBrowser(browser, server);
    await page.route("https://github.com/login/oauth/authorize?*", (route) => {
      const { searchParams } = new URL(route.request().url());
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", "one");
      back.searchParams.set("state", searchParams.get("state") ?? "");
      const body = `<a href="${back.href.replaceAll("&", "&amp;")}">Authorize</a>`;
      return route.fulfill({ contentType: "text/html", body });
    });
    await page.goto("/sign-in?next=/account");
    await page.getByRole("button", { name: "Continue with GitHub" }).click();
    await page.getByRole("link", { name: "Authorize" }).click();
    await page.waitForURL(`${server.url}/account`);
    await expect(page.getByRole("region", { name: "Profile" })).toContainText("gil@example.org");
    await expect(page.getByRole("region", { name: "Profile" })).toContainText("You sign in with GitHub.");
    expect(gitHub.asked).toContain("/api.github.com/user/emails");
  } finally {
    await server.stop();
    await gitHub.stop();
  }
});
