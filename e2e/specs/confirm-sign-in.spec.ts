import { expectAccessible } from "../fixtures/expect-accessible";
import { openBrowser, signUp, startTeamServer, toPerson, toTotp } from "../fixtures/team-server";
import { expect, test } from "../fixtures/test";

const notFresh = { code: "SESSION_NOT_FRESH", message: "Sign in again first." };

test("a user whose sign-in is no longer recent confirms it in place, with the password and a code", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const server = await startTeamServer();
  try {
    const page = await openBrowser(browser, server);
    const ann = toPerson("Ann");
    await signUp(page, `/sign-up#token=${server.token}`, ann);
    await page.goto("/account");
    const factors = page.getByRole("region", { name: "Two-factor authentication" });
    await factors.getByLabel("Your password").fill(ann.password);
    await factors.getByRole("button", { name: "Turn on…" }).click();
    const secret = (await factors.locator("code").first().textContent()) ?? "";
    await factors.getByRole("textbox", { name: "Code" }).fill(toTotp(secret));
    await factors.getByRole("button", { name: "Turn on" }).click();
    await factors.getByRole("button", { name: "I have stored them" }).click();

    let refusals = 1;
    await page.route("**/api/auth/change-password", (route) =>
      refusals-- > 0 ? route.fulfill({ status: 403, json: notFresh }) : route.continue(),
    );
    const password = page.getByRole("region", { name: "Password", exact: true });
    await password.getByLabel("Current password").fill(ann.password);
    await password.getByLabel("New password").fill(`${ann.password}, changed`);
    await password.getByRole("button", { name: "Change password" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await expectAccessible(page, "[role=dialog]");
    await dialog.getByLabel("Password", { exact: true }).fill(ann.password);
    await dialog.getByRole("button", { name: "Confirm with the password" }).click();
    // The code of this half minute has turned the second factor on, and counts once.
    await dialog.getByRole("textbox", { name: "Code" }).fill(toTotp(secret, Date.now() + 30_000));
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(password.getByRole("status")).toHaveText("The password is changed.");
    await expect(dialog).toHaveCount(0);
    await page.context().close();
  } finally {
    await server.stop();
  }
});
