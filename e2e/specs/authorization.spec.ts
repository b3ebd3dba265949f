import { readdirSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { ApiUser } from "../fixtures/api-user";
import { sendRaw } from "../fixtures/raw-request";
import { noTeamLimits } from "../fixtures/team-limits";
import { startTeamServer, type TeamServer } from "../fixtures/team-server";
import { expect, test } from "../fixtures/test";

test.describe.configure({ mode: "serial", timeout: 240_000 });

const roles = ["viewer", "runner", "editor", "admin", "owner"] as const;
type Role = (typeof roles)[number];

/** The lowest role with each permission: the table of the documentation. */
const lowestRole: Record<string, Role> = {
  "flows:read": "viewer",
  "runs:read": "viewer",
  "comments:write": "viewer",
  "runs:write": "runner",
  "flows:write": "editor",
  "shares:write": "editor",
  "team:manage": "admin",
  "team:own": "owner",
};

const source = 'name: Kept\nagents:\n  a: { model: "demo:a" }\nswarm: { type: workflow, flow: a }\n';

const goalSource = 'name: Goals\nagents:\n  lead: { model: "demo:a" }\nswarm: { type: orchestrate, agents: [lead] }\n';

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ security: z.array(z.record(z.string(), z.array(z.string()))).optional() })),
  ),
});

let server: TeamServer;
let anonymous: ApiUser;
let stranger: ApiUser;
const members = new Map<Role, ApiUser>();
const owner = (): ApiUser => members.get("owner") ?? anonymous;
/** What the paths name: made once, and not changed by those who may. */
let shared: Record<string, string>;

async function join(name: string, role: Role): Promise<ApiUser> {
  const { token } = await owner().read("POST", "/api/v1/teams/local/invitations", { role });
  const user = await new ApiUser(server, name).signUp(token);
  await user.read("POST", `/api/v1/invitations/${token}/accept`);
  return user;
}

const createFlow = async (text = source): Promise<string> =>
  (await owner().read("POST", "/api/v1/flows", { source: text })).id;

async function endRun(flow: string): Promise<string> {
  const { id } = await owner().read("POST", `/api/v1/flows/${flow}/runs`, { input: "x" });
  await expect.poll(async () => (await owner().read("GET", `/api/v1/runs/${id}`)).status).toBe("SUCCESS");
  return id;
}

const schedule = (flow: string) => ({
  flow,
  name: "S",
  cron: "0 9 * * *",
  timeZone: "UTC",
  input: "x",
  enabled: false,
});
const traces = { endpoint: "http://127.0.0.1:9/v1/traces", headers: {}, content: false, enabled: false };
const retention = { enabled: false, days: 30, keep: 10 };

/** Bodies with which each operation succeeds, or is refused for another reason than the role. */
const bodies: Record<string, (names: Record<string, string>) => unknown> = {
  "POST /flows": () => ({ source }),
  "PUT /flows/{id}": ({ revision }) => ({ source, baseRevision: revision }),
  "PATCH /flows/{id}": () => ({ name: "Kept" }),
  "PATCH /flows/{id}/revisions/{revision}": () => ({ name: "First" }),
  "PUT /flows/{id}/members/{userId}": () => ({ role: null }),
  "POST /flows/{id}/publish": () => ({}),
  "POST /flows/{id}/comments": () => ({ body: "Look." }),
  "PATCH /comments/{id}": () => ({ resolved: true }),
  "POST /inbox/read": () => ({}),
  "POST /flows/{id}/links": () => ({}),
  "POST /runs/{id}/links": () => ({ texts: [] }),
  "POST /flows/{id}/reach": () => ({ reach: [] }),
  "PUT /flows/{id}/gallery": () => ({ listed: true }),
  "POST /copies": ({ link }) => ({ token: link }),
  "POST /flows/{id}/runs": () => ({ input: "x" }),
  "POST /runs/{id}/fork": () => ({ node: 1 }),
  "POST /runs/{id}/what-if": () => ({ node: 2, models: ["demo:b"] }),
  "POST /runs/{id}/messages": () => ({ agent: "a", text: "Go on." }),
  "POST /runs/{id}/nodes/{nodeId}/answer": () => ({ decision: "approved", question: 1 }),
  "POST /orchestrate": ({ goalFlow }) => ({ goal: "Weave", flow: goalFlow }),
  "POST /check-answer": () => ({ schema: { type: "number" }, text: "1" }),
  "PUT /connections/{provider}": () => ({ key: "sk-of-nobody-0123456789" }),
  "POST /connections/{provider}/test": () => ({}),
  "PUT /me/keys/{provider}": () => ({ key: "sk-of-nobody-0123456789" }),
  "PUT /settings/retention": () => retention,
  "POST /settings/retention/preview": () => retention,
  "PUT /settings/trace-export": () => traces,
  "POST /settings/trace-export/test": () => traces,
  "PUT /settings/limits": () => noTeamLimits,
  "PUT /settings/tools": () => ({ switchedOff: [], needApproval: [], httpHosts: null }),
  "PUT /settings/approvals": () => ({ starterMayNotApprove: false }),
  "POST /schedules": ({ flow = "" }) => schedule(flow),
  "PUT /schedules/{id}": ({ flow = "" }) => schedule(flow),
  "POST /schedules/preview": () => ({ cron: "0 9 * * *", timeZone: "UTC" }),
  "POST /webhooks": ({ flow }) => ({ flow, name: "W" }),
  "PUT /webhooks/{id}": ({ flow }) => ({ flow, name: "W" }),
  "POST /keys": () => ({ name: "K", scopes: ["runs:read"] }),
  "POST /teams": () => ({ name: "" }),
  "PATCH /teams/{id}": () => ({ name: "My team" }),
  "DELETE /teams/{id}": () => ({ name: "none" }),
  "PATCH /teams/{id}/members/{userId}": () => ({ role: "viewer" }),
  "POST /teams/{id}/invitations": () => ({ role: "viewer" }),
};

/** What a call uses up: made anew for each that may succeed. */
const makers: Record<string, (user: ApiUser) => Promise<Record<string, string>>> = {
  "DELETE /flows/{id}": async () => ({ id: await createFlow() }),
  "DELETE /comments/{id}": async (user) => {
    const author = [...members.values()].includes(user) ? user : owner();
    return { id: (await author.read("POST", `/api/v1/flows/${shared.flow}/comments`, { body: "Mine." })).id };
  },
  "DELETE /links/{id}": async () => ({
    id: (await owner().read("POST", `/api/v1/flows/${shared.flow}/links`, {})).id,
  }),
  "DELETE /schedules/{id}": async () => ({
    id: (await owner().read("POST", "/api/v1/schedules", schedule(shared.flow ?? ""))).id,
  }),
  "DELETE /webhooks/{id}": async () => ({
    id: (await owner().read("POST", "/api/v1/webhooks", { flow: shared.flow, name: "W" })).webhook.id,
  }),
  "DELETE /keys/{id}": async () => ({
    id: (await owner().read("POST", "/api/v1/keys", { name: "K", scopes: ["runs:read"] })).id,
  }),
  "DELETE /teams/{id}/members/{userId}": async () => {
    const user = await join(`m${Math.random().toString(36).slice(2)}`, "viewer");
    return { userId: (await user.read("GET", "/api/v1/me")).user.id };
  },
  "DELETE /teams/{id}/invitations/{invitationId}": async () => ({
    invitationId: (await owner().read("POST", "/api/v1/teams/local/invitations", { role: "viewer" })).id,
  }),
  "POST /invitations/{token}/accept": async () => ({
    token: (await owner().read("POST", "/api/v1/teams/local/invitations", { role: "viewer" })).token,
  }),
};

/** The id in a path, by the collection that it is of. */
function idsOf(route: string): Record<string, string | undefined> {
  const [, collection = ""] = route.split("/");
  const id = { flows: shared.flow, runs: shared.run, agents: "1", schedules: shared.schedule, teams: "local" };
  return {
    ...shared,
    id: { ...id, webhooks: shared.webhook, comments: shared.comment, keys: "none", links: "none" }[collection],
  };
}

function toAddress(route: string, names: Record<string, string | undefined>): string {
  const filled = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? "none");
  const query: Record<string, string> = { "/runs/compare": `runs=${shared.run},${shared.otherRun}` };
  const ofAgent = route.startsWith("/agents/") ? `run=${shared.run}` : "";
  return `/api/v1${filled}?${[query[route] ?? ofAgent, "team=local"].filter(Boolean).join("&")}`;
}

test.beforeAll(async () => {
  server = await startTeamServer({ SWARMLOOM_RATE_LIMIT: "0", SWARMLOOM_RATE_LIMIT_RUNS: "0" });
  anonymous = new ApiUser(server, "anonymous");
  members.set("owner", await new ApiUser(server, "owner").signUp(server.token));
  stranger = await new ApiUser(server, "stranger").signUp(server.token);
  for (const role of roles.slice(0, -1)) members.set(role, await join(role, role));
  const flow = await createFlow();
  const { revision } = await owner().read("GET", `/api/v1/flows/${flow}`);
  shared = {
    flow,
    goalFlow: await createFlow(goalSource),
    revision,
    run: await endRun(flow),
    otherRun: await endRun(flow),
    schedule: (await owner().read("POST", "/api/v1/schedules", schedule(flow))).id,
    webhook: (await owner().read("POST", "/api/v1/webhooks", { flow, name: "W" })).webhook.id,
    comment: (await owner().read("POST", `/api/v1/flows/${flow}/comments`, { body: "First." })).id,
    link:
      String((await owner().read("POST", `/api/v1/flows/${flow}/links`, {})).url)
        .split("/")
        .at(-1) ?? "",
    userId: (await members.get("viewer")?.read("GET", "/api/v1/me"))?.user.id,
    nodeId: "2",
    field: "output",
    provider: "openai",
  };
});

test.afterAll(() => server.stop());

test("every operation of the API answers each user as the table of permissions says", async () => {
  const { text } = await anonymous.send("GET", "/api/v1/openapi.json");
  const { paths } = documentSchema.parse(JSON.parse(text));
  const wrong: string[] = [];
  let calls = 0;
  for (const [route, operations] of Object.entries(paths))
    for (const [verb, { security }] of Object.entries(operations)) {
      const method = verb.toUpperCase();
      const name = `${method} ${route}`;
      const isPublic = security?.length === 0;
      const [permission] = security?.[0]?.key ?? [];
      const call = async (user: ApiUser, headers: Record<string, string> = {}) => {
        calls++;
        const names = { ...idsOf(route), ...(await makers[name]?.(user)) };
        const address = toAddress(route, names);
        return user.send(method, address, bodies[name]?.(shared), headers);
      };
      const check = (user: string, { status, text: answer }: { status: number; text: string }, isRight: boolean) => {
        if (!isRight || status >= 500) wrong.push(`${name} as ${user}: ${status} ${answer.slice(0, 150)}`);
      };
      const first = await call(anonymous);
      check("anonymous", first, isPublic ? first.status === 200 : first.status === 401);
      if (permission !== undefined) {
        const foreign = await call(stranger);
        check("a member of another team", foreign, foreign.status === 404);
      }
      for (const role of roles) {
        const answer = await call(members.get(role) ?? anonymous);
        const lowest = permission === undefined ? "viewer" : lowestRole[permission];
        expect(lowest, `${permission} is a known permission`).toBeDefined();
        const isAllowed = roles.indexOf(role) >= roles.indexOf(lowest ?? "owner");
        const isRefused = answer.status === 403 || answer.status === 404 || answer.status === 401;
        // An agent or a question that is not there: the run has neither.
        const isAbsent = answer.status === 404 && /step|agent/i.test(answer.text);
        check(role, answer, isAllowed ? !isRefused || isAbsent : isRefused);
      }
      if (method !== "GET") {
        const other = await call(owner(), { origin: "https://evil.example" });
        check("a page of another site", other, other.status === 403);
      }
    }
  expect(wrong).toEqual([]);
  expect(calls).toBeGreaterThan(500);
});

test("an id of another team answers as an unknown one, to the last character", async () => {
  for (const address of [`/flows/${shared.flow}`, `/runs/${shared.run}`, `/runs/${shared.run}/events`]) {
    const unknown = address.replace(/[0-9a-f-]{36}/, "00000000-0000-4000-8000-000000000000");
    const [foreign, missing] = [
      await stranger.send("GET", `/api/v1${address}`),
      await stranger.send("GET", `/api/v1${unknown}`),
    ];
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
  }
});

test("a flow of another team is reached by no id in a body", async () => {
  const { teams } = await stranger.read("GET", "/api/v1/me");
  const team = `?team=${teams[0].id}`;
  const { flow, run } = shared;
  const calls = [
    stranger.send("POST", `/api/v1/schedules${team}`, schedule(flow ?? "")),
    stranger.send("POST", `/api/v1/webhooks${team}`, { flow, name: "W" }),
    stranger.send("POST", `/api/v1/orchestrate${team}`, { goal: "x", flow }),
    stranger.send("GET", `/api/v1/runs/compare?runs=${run},${shared.otherRun}`),
  ];
  for (const { status } of await Promise.all(calls)) expect(status).toBe(404);
  const { runs } = await stranger.read("GET", `/api/v1/runs${team}&flow=${flow}`);
  expect(runs).toEqual([]);
});

test("no address answers for another host", async () => {
  const headers = { host: "evil.example" };
  for (const address of ["/", "/sign-in", "/api/health", "/api/v1/me", "/api/v1/openapi.json", "/api/auth/get-session"])
    expect([address, (await sendRaw(server.url, { path: address, headers })).status]).toEqual([address, 403]);
});

type PageAccess = "everyone" | "link" | "account" | "team" | "flow" | "run" | "switched off";

/** Who may open each page. */
const pageAccess: Record<string, PageAccess> = {
  "/": "team",
  "/account": "account",
  "/audit": "team",
  "/bench/canvas": "switched off",
  "/bench/conversation": "switched off",
  "/bench/editor": "switched off",
  "/bench/run-canvas": "switched off",
  "/bench/timeline": "switched off",
  "/docs/[page]": "account",
  "/docs/api": "account",
  "/embed/[token]": "link",
  "/flows/[id]": "flow",
  "/gallery": "everyone",
  "/gallery/[id]": "everyone",
  "/flows/[id]/diff": "flow",
  "/inbox": "account",
  "/invitations/[token]": "everyone",
  "/reset-password": "everyone",
  "/runs": "team",
  "/runs/[id]": "run",
  "/runs/compare": "account",
  "/runs/open": "account",
  "/s/[token]": "link",
  "/settings": "team",
  "/settings/[group]": "team",
  "/sign-in": "everyone",
  "/sign-up": "everyone",
  "/teams": "account",
  "/triggers": "team",
};

test("every page is open to those whom the table of pages names", async () => {
  const app = path.join(import.meta.dirname, "../../app");
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter(
    (file) => path.basename(file) === "page.tsx",
  );
  expect(files.map((file) => `/${path.dirname(file)}`.replace(/^\/\.$/, "/")).toSorted()).toEqual(
    Object.keys(pageAccess).toSorted(),
  );
  const wrong: string[] = [];
  const link = await owner().read("POST", `/api/v1/flows/${shared.flow}/links`, {});
  const token = String(link.url).split("/").at(-1) ?? "";
  for (const [route, access] of Object.entries(pageAccess)) {
    const id = access === "run" ? shared.run : shared.flow;
    const address = route
      .replace("[id]", id ?? "")
      .replace("[group]", "runs")
      .replace("[page]", "editor")
      .replace("[token]", access === "link" ? token : "none");
    const see = async (user: ApiUser, name: string, isRight: (status: number, location: string) => boolean) => {
      const { status, location } = await user.send("GET", address);
      if (!isRight(status, location ?? "")) wrong.push(`${route} as ${name}: ${status} ${location}`);
    };
    const isOpen = (status: number, location: string): boolean =>
      status === 200 || (status === 307 && location.startsWith(`${address}/`));
    const isMissing = (status: number): boolean => status === 404;
    const isSentToSignIn = (status: number, location: string): boolean =>
      status === 307 && location.startsWith("/sign-in?next=");
    await see(anonymous, "anonymous", access === "everyone" || access === "link" ? isOpen : isSentToSignIn);
    if (access === "everyone" || access === "link") {
      const { status } = await anonymous.send("GET", address.replace(token, `${token}x`));
      if (access === "link" && status !== 404) wrong.push(`${route} with another token: ${status}`);
      continue;
    }
    const isForeign = access === "flow" || access === "run" || access === "switched off";
    await see(stranger, "a member of another team", isForeign ? isMissing : isOpen);
    for (const [role, user] of members) await see(user, role, access === "switched off" ? isMissing : isOpen);
  }
  expect(wrong).toEqual([]);
});
