import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { localTeamId } from "../auth/viewer";
import { rotateSecret } from "../connections/rotate-secret";
import type { Db } from "../db";
import * as env from "../env";
import { startServices } from "../start";
import { createInvitation } from "../teams/invitations";
import { handleAuthRequest } from "./handle-auth-request";
import { requireViewer } from "./read-viewer";

const url = "https://flows.example.org";
const startToken = "a-start-token-of-enough-characters";
let db: Db;
beforeAll(async () => {
  db = await startServices();
});
afterAll(() => globalThis.swarmloomServices?.endRuns());
const setEnv = (variables: Partial<env.Env>): void => {
  const usual = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, ...variables });
};
beforeEach(() => setEnv({ SWARMLOOM_URL: url, SWARMLOOM_TOKEN: startToken }));
afterEach(() => vi.restoreAllMocks());

const host = { host: "flows.example.org", origin: url, "x-swarmloom-address": "203.0.113.7" };

const post = (endpoint: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  handleAuthRequest(
    new Request(`${url}/api/auth/${endpoint}`, {
      method: "POST",
      headers: { ...host, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );

const password = "a long password";
const signUp = (name: string, bearer?: string): Promise<Response> =>
  post(
    "sign-up/email",
    { name, email: `${name.toLowerCase()}@example.org`, password },
    bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
  );
const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
const viewerOf = (response: Response) => requireViewer(new Headers({ ...host, cookie: cookieOf(response) }));

describe("accounts", () => {
  test("the first one needs the token of the server, and owns what was made without accounts", async () => {
    expect((await signUp("Nobody")).status).toBe(403);
    expect((await signUp("Nobody", "null")).status).toBe(403);
    const ada = await signUp("Ada", startToken);
    expect(ada.status).toBe(200);
    const viewer = await viewerOf(ada);
    expect([viewer.name, [...viewer.roles]]).toEqual(["Ada", [[localTeamId, "owner"]]]);
    expect(await db.auditEvent.findMany({ where: { teamId: localTeamId } })).toMatchObject([
      { action: "team.claimed", actorId: viewer.id, actorName: "Ada", objectType: "team", objectId: localTeamId },
    ]);
    // A token is no longer the key to the first team.
    const { roles } = await viewerOf(await signUp("Bea", startToken));
    expect([roles.size, roles.has(localTeamId)]).toEqual([1, false]);
    const [teamId = ""] = roles.keys();
    expect(await db.auditEvent.findMany({ where: { teamId } })).toMatchObject([
      { action: "team.created", actorName: "Bea", objectId: teamId },
    ]);
  });

  test("others need an invitation, and no one learns which addresses have accounts", async () => {
    const ada = await viewerOf(await post("sign-in/email", { email: "ada@example.org", password }));
    const [taken, free] = [await signUp("Ada"), await signUp("Cleo")];
    expect([taken.status, await taken.text()]).toEqual([free.status, await free.text()]);
    const { token } = await createInvitation(ada, localTeamId, { role: "runner" });
    const cleo = await signUp("Cleo", token);
    expect(cleo.status).toBe(200);
    const { token: other } = await createInvitation(ada, localTeamId, { role: "runner", email: "eve@example.org" });
    expect(await (await signUp("Mallory", other)).text()).toContain("enter that one (e…@example.org)");
    // The invitation is accepted by itself.
    expect((await viewerOf(cleo)).roles.size).toBe(0);
  });

  test("everyone may make one where the operator says so", async () => {
    setEnv({ SWARMLOOM_URL: url, SWARMLOOM_OPEN_SIGN_UP: "1" });
    expect((await viewerOf(await signUp("Dora"))).roles.size).toBe(1);
  });

  test("the cookie is bound to the host, and unreadable for scripts", async () => {
    const response = await post("sign-in/email", { email: "ada@example.org", password });
    const [cookie = ""] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-swarmloom\.session_token=/);
    for (const attribute of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) expect(cookie).toContain(attribute);
    expect(cookie).not.toContain("Domain");
    const forged = cookieOf(response).replace(/=.{8}/, "=AAAAAAAA");
    await expect(requireViewer(new Headers({ ...host, cookie: forged }))).rejects.toMatchObject({
      code: "unauthorized",
    });
  });

  test("signing out ends the session, and passwords are stored hashed", async () => {
    const response = await post("sign-in/email", { email: "ada@example.org", password });
    const cookie = cookieOf(response);
    expect((await post("sign-out", {}, { cookie })).status).toBe(200);
    await expect(requireViewer(new Headers({ ...host, cookie }))).rejects.toMatchObject({ code: "unauthorized" });
    expect(JSON.stringify(await db.account.findMany())).not.toContain(password);
  });

  test("sessions outlive a rotation of the secret, which seals what signs them", async () => {
    const response = await post("sign-in/email", { email: "ada@example.org", password });
    const before = await db.sealedSecret.findMany();
    const { unreadable } = await rotateSecret(db);
    expect(unreadable).toEqual([]);
    expect(await db.sealedSecret.findMany()).not.toEqual(before);
    expect((await viewerOf(response)).name).toBe("Ada");
  });

  test("wrong passwords are slowed down for an account, from wherever they come", async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 12; index++) {
      const address = { "x-swarmloom-address": `203.0.113.${index}` };
      statuses.push(
        (await post("sign-in/email", { email: "dora@example.org", password: "wrong wrong" }, address)).status,
      );
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect((await post("sign-in/email", { email: "dora@example.org", password })).status).toBe(429);
  });

  test("a token for a new password is used once, is long, and is never empty", async () => {
    for (const token of ["", "null", null, undefined, 0])
      expect((await post("reset-password", { newPassword: "another password", token })).status).toBe(400);
  });

  test.each<[string, Record<string, string>]>([
    ["another site's page", { origin: "https://evil.example" }],
    ["a name of another host", { host: "evil.example" }],
    ["another site by its metadata", { "sec-fetch-site": "cross-site" }],
  ])("a request of %s is refused", async (_, headers) => {
    await expect(post("sign-in/email", { email: "ada@example.org", password }, headers)).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(requireViewer(new Headers({ ...host, ...headers }))).rejects.toMatchObject({ code: "forbidden" });
  });

  test("what is not used of the library does not exist, and nothing does without accounts", async () => {
    for (const endpoint of ["delete-user", "change-email", "ok", "token", "callback/../ok"])
      await expect(post(endpoint, {})).rejects.toMatchObject({ code: "not_found" });
    setEnv({ SWARMLOOM_URL: undefined, HOST: "127.0.0.1" });
    await expect(post("sign-in/email", {})).rejects.toMatchObject({ code: "not_found" });
  });
});
