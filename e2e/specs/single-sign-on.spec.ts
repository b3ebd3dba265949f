import { createServer } from "node:http";
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
