import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import * as env from "../env";
import { startServices } from "../start";
import { getAuth } from "./auth";
import { authEndpoints, findEndpoint, isUsedEndpoint, toRateLimits } from "./auth-endpoints";
import { testUrl } from "./testing/auth-requests";

beforeAll(() => startServices());
afterAll(() => globalThis.swarmloomServices?.endRuns());
afterEach(() => vi.restoreAllMocks());

test("every endpoint of the table is one of the library, by this path", async () => {
  vi.spyOn(env, "getEnv").mockReturnValue({ ...env.getEnv(), SWARMLOOM_URL: testUrl });
  const { api } = await getAuth();
  const paths = new Set(Object.values(api).map((endpoint) => ("path" in endpoint ? endpoint.path : "")));
  expect(Object.keys(authEndpoints).filter((name) => !paths.has(`/${name}`))).toEqual([]);
});

test("what changes how an account is signed in to needs a recent sign-in, unless a code of the app shows the user", () => {
  const changing = Object.keys(authEndpoints).filter((name) => findEndpoint(`/${name}`).endsOtherSessions);
  expect(changing.filter((name) => !findEndpoint(`/${name}`).needsRecentSignIn)).toEqual(["two-factor/verify-totp"]);
});

test("where passwords and codes are tried, an address tries few a minute", () => {
  const limits = toRateLimits(60);
  for (const name of [
    "sign-in/email",
    "two-factor/verify-totp",
    "two-factor/verify-backup-code",
    "request-password-reset",
  ])
    expect(limits[`/${name}`]).toMatchObject({ window: 60, max: expect.any(Number) });
  expect(limits["/get-session"]).toBe(false);
  expect(limits["/sign-out"]).toBeUndefined();
});

test("no other endpoint exists", () => {
  for (const name of ["delete-user", "verify-email", "sign-in", "callback/../ok", "constructor", "__proto__", ""])
    expect(isUsedEndpoint(name)).toBe(false);
  expect(isUsedEndpoint("callback/github")).toBe(true);
  expect(findEndpoint("/constructor")).toEqual({});
});
