import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { getOpenApi } from "@/lib/server/api/openapi";
import { localViewer } from "@/lib/server/auth/viewer";
import { backUp } from "@/lib/server/backup/backup";
import { listOwnProviders, loadPersonalKeys } from "@/lib/server/connections/personal-keys";
import { seal, toPersonOwner } from "@/lib/server/connections/seal";
import { readSecrets } from "@/lib/server/connections/secrets";
import type { Db } from "@/lib/server/db";
import { createFlow } from "@/lib/server/flows/commands";
import type { RawServer } from "@/lib/server/models/testing/raw-server";
import { getRun } from "@/lib/server/runs/read/queries";
import { startServices } from "@/lib/server/start";
import { createWebhook } from "@/lib/server/webhooks/commands";
import { sendRequest } from "@/lib/server/webhooks/testing/send-request";
import { toAnswerCheck } from "./testing/declared-answers";
import { startEchoServer } from "./testing/echo-server";

/** A key for every provider that occurs nowhere else; escaped for a URL and in base64 it looks different. */
const canaries = {
  openai: "sk-7Vb+Xo1u/Q7xZ2mW9kE4r=AAAA",
  anthropic: "sk-ant-9Gc+Ye5i/L4vT8pN2dF6s=BBBB",
  google: "AIzaJ2d+Zf6o/H3nR6pY1wM8t=CCCC",
  compatible: "3Kf+Wg8a/J5kD0sU8bQ7y=DDDD",
} as const;
/** The own key of a person. */
const personalCanary = "sk-proj-5Mc+Xk3i/P6sY1qB9hG4v=EEEE";
type ProviderId = keyof typeof canaries;
const providers: readonly ProviderId[] = ["openai", "anthropic", "google", "compatible"];
const versionOf = { openai: "/v1", anthropic: "", google: "", compatible: "/v1" };
const models = ["ok", "echo", "refuse", "refuse-text", "refuse-late", "break"] as const;

const textFields = ["input", "output", "request", "response", "reasoning", "metadata"];
const longestQuote = 10;

/** Parts of the keys, and of what they are in other forms: a key that was cut in two is found, too. */
const forbidden = [...Object.values(canaries), personalCanary].flatMap((key) => {
  const bytes = Buffer.from(key);
  const forms = [key, encodeURIComponent(key), bytes.toString("base64"), bytes.toString("hex")];
  return forms.flatMap((form) =>
    // The last four characters are shown, and the first ones are those of every key of a provider.
    Array.from({ length: Math.max(0, form.length - longestQuote - 12) }, (_, at) =>
      form.slice(at + 8, at + 8 + longestQuote),
    ),
  );
});

const routesFolder = path.join(import.meta.dirname, "v1");
/** Paths below `/api/v1`; `../hooks/[token]`: beside it. */
const routes = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "route.ts" && !file.startsWith("[[...path]]"))
  .map((file) => path.relative(routesFolder, path.join(import.meta.dirname, path.dirname(file))))
  .sort();

let server: RawServer;
let dataFolder: string;
const log: string[] = [];
/** What answers had that the OpenAPI document does not declare. */
const undeclared = new Set<string>();
const seen: { where: string; text: string }[] = [];
const runs: string[] = [];
let flow = "";
let revision = "";

const findUndeclared = toAnswerCheck(getOpenApi());
const toPath = (route: string): string => `/${route.replaceAll(/\[(\w+)\]/g, "{$1}")}`;

const base = "http://127.0.0.1:3000";

async function call(route: string, method: string, options: { url?: string; body?: unknown; params?: object } = {}) {
  const module: Record<string, unknown> = await import(path.join(routesFolder, route, "route.ts"));
  const handler = module[method];
  if (typeof handler !== "function") throw new Error(`${route} has no ${method}`);
  const { url = "", body, params = {} } = options;
  const headers = { host: "127.0.0.1:3000", ...(body !== undefined && { "content-type": "application/json" }) };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const request = new Request(`${base}/${route}${url}`, { method, headers, ...(body !== undefined && { body: text }) });
  const response: Response = await handler(request, { params: Promise.resolve(params) });
  if (response.ok && !route.startsWith("..")) {
    const mistake = await findUndeclared(toPath(route), method, response.clone());
    if (mistake !== null) undeclared.add(mistake);
  }
  const answer = `${response.statusText} ${JSON.stringify([...response.headers])} ${await response.text()}`;
  seen.push({ where: `${method} ${route} ${response.status}`, text: answer });
  return { status: response.status, answer };
}

const sourceOf = (model: string, only: readonly ProviderId[] = providers): string => `name: Canary ${model}
agents:
${only.map((id) => `  ${id}: { model: "${id}:${model}", tools: [calculator] }`).join("\n")}
swarm: { type: workflow, flow: ${only.join(" >> ")} }
`;

async function runToEnd(source: string): Promise<string> {
  const created = await createFlow(localViewer, { source });
  flow = created.id;
  revision = created.revision;
  const { answer } = await call("flows/[id]/runs", "POST", { params: { id: flow }, body: { input: "Repeat it." } });
  const id = /"id":"([^"]+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error(`no run was started: ${answer}`);
  for (;;) {
    const { status } = await getRun(localViewer, id);
    if (isTerminal(status)) {
      runs.push(id);
      return status;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function plantPersonalKey(db: Db): Promise<void> {
  const now = new Date();
  const [user, moments] = [
    { id: "ada", name: "Ada", email: "ada@example.org" },
    { createdAt: now, updatedAt: now },
  ];
  await db.user.create({ data: { ...user, emailVerified: true, ...moments } });
  const { current } = readSecrets();
  const sealedKey = seal(personalCanary, current, toPersonOwner(user.id, "openai"));
  const row = { userId: user.id, provider: "openai", sealedKey, secretId: current.id, lastFour: "EEEE" };
  await db.personalKey.create({ data: { ...row, ...moments } });
  await loadPersonalKeys(db);
  expect(listOwnProviders(user.id)).toEqual(["openai"]);
}

beforeAll(async () => {
  globalThis.swarmloomLog = { write: (line: string) => log.push(line) };
  vi.spyOn(console, "log").mockImplementation((...words) => log.push(words.join(" ")));
  vi.spyOn(console, "error").mockImplementation((...words) => log.push(words.join(" ")));
  server = await startEchoServer();
  dataFolder = process.env.SWARMLOOM_DATA ?? "";
  await plantPersonalKey(await startServices());
  for (const provider of providers) {
    const body = {
      key: canaries[provider],
      baseUrl: `${server.url}/${provider}${versionOf[provider]}`,
    };
    expect((await call("connections/[provider]", "PUT", { params: { provider }, body })).status).toBe(200);
  }
});
afterAll(async () => {
  globalThis.swarmloomLog = undefined;
  vi.restoreAllMocks();
  await server.close();
});

describe("a canary key", () => {
  test("reaches its provider, in runs that succeed and in runs that fail", async () => {
    for (const model of models)
      for (const provider of providers) {
        const status = await runToEnd(sourceOf(model, [provider]));
        expect(`${provider}:${model} ${status}`).toBe(
          `${provider}:${model} ${/ok|echo/.test(model) ? "SUCCESS" : "FAILED"}`,
        );
      }
    expect(await runToEnd(sourceOf("echo"))).toBe("SUCCESS");
    const received = JSON.stringify(server.requests.map(({ headers }) => headers));
    for (const provider of providers) expect(received).toContain(canaries[provider]);
  }, 120_000);

  test("is in no answer of any route", async () => {
    const stepsOf = async (id: string): Promise<number[]> =>
      (await getRun(localViewer, id)).state.nodes.map((node) => node.id);
    const asked = new Set<string>();
    const ask = async (route: string, method: string, options: Parameters<typeof call>[2]): Promise<void> => {
      asked.add(`${method} ${route}`);
      await call(route, method, options);
    };
    const ofProviders = (body: (key: string) => unknown) =>
      providers.map((provider) => ({ params: { provider }, body: body(canaries[provider]) }));
    const hook = await createWebhook(localViewer, { flow, name: "Hook", inputPath: "", enabled: true });
    const token = hook.webhook.path.split("/").at(-1) ?? "";
    const accepted = await sendRequest(hook);
    expect(accepted.status).toBe(202);
    seen.push({ where: "POST ../hooks/[token] 202", text: accepted.text });
    /** Requests that change something; reading routes are asked without an entry. `{}`: it is refused, and so is its answer read. */
    const changes: Record<string, readonly NonNullable<Parameters<typeof call>[2]>[]> = {
      "POST check-answer": [{ body: { schema: { type: "number" }, text: canaries.openai } }],
      "PUT connections/[provider]": [
        ...ofProviders((key) => ({ key: `"${key}"` })),
        ...ofProviders((key) => ({ key: `Bearer ${key}` })),
        ...ofProviders((key) => `{"key": ${key}}`),
        ...ofProviders((key) => ({ [key]: key })),
        ...ofProviders((key) => ({ baseUrl: `http://x:${encodeURIComponent(key)}@127.0.0.1/` })),
      ],
      "POST connections/[provider]/test": [
        ...models.flatMap((model) => ofProviders(() => ({ model }))),
        ...ofProviders((key) => ({ key, baseUrl: "http://127.0.0.1:1/v1", model: "ok" })),
      ],
      "PUT me/keys/[provider]": ofProviders((key) => ({ key })),
      "DELETE me/keys/[provider]": [{ params: { provider: "openai" } }],
      "POST connections/find-local": [{ body: {} }],
      "DELETE connections/[provider]": [{ params: { provider: "openai" } }],
      "POST flows": [{ body: { source: sourceOf("ok") } }],
      "PUT flows/[id]": [{ params: { id: flow }, body: {} }],
      "DELETE flows/[id]": [{ params: { id: "none" } }],
      "PATCH flows/[id]": [{ params: { id: flow }, body: {} }],
      "POST flows/[id]/restore": [{ params: { id: flow } }],
      "PATCH flows/[id]/revisions/[revision]": [{ params: { id: flow, revision }, body: {} }],
      "POST flows/[id]/publish": ofProviders((key) => ({ revision: key })).map((entry) => ({
        ...entry,
        params: { id: flow },
      })),
      "DELETE flows/[id]/publish": [{ params: { id: flow } }],
      "POST flows/[id]/comments": [
        { params: { id: flow }, body: { body: "Hello" } },
        ...providers.map((id) => ({ params: { id: flow }, body: { body: "Hello", parent: canaries[id] } })),
      ],
      "PATCH comments/[id]": [{ params: { id: "none" }, body: { [canaries.openai]: 1 } }],
      "DELETE comments/[id]": [{ params: { id: "none" } }],
      "POST inbox/read": [{ body: {} }],
      "POST flows/[id]/duplicate": [{ params: { id: flow } }],
      "POST flows/[id]/runs": [{ params: { id: flow }, body: {} }],
      "POST orchestrate": [{ body: {} }],
      "POST runs/[id]/again": runs.slice(-1).map((id) => ({ params: { id } })),
      "POST runs/[id]/fork": runs.slice(-1).map((id) => ({ params: { id }, body: { node: 1 } })),
      "POST runs/[id]/what-if": [
        { params: { id: runs.at(-1) }, body: { node: 2, models: ["openai:ok", "anthropic:ok"] } },
        ...providers.map((id) => ({ params: { id: runs.at(-1) }, body: { node: 2, models: [`${canaries[id]}:ok`] } })),
      ],
      "POST runs/[id]/retry": runs.slice(-1).map((id) => ({ params: { id } })),
      "POST runs/[id]/cancel": runs.slice(0, 1).map((id) => ({ params: { id } })),
      "POST runs/[id]/pause": runs.slice(0, 1).map((id) => ({ params: { id } })),
      "POST runs/[id]/resume": runs.slice(0, 1).map((id) => ({ params: { id } })),
      "POST runs/[id]/messages": [{ params: { id: runs[0] }, body: { agent: "openai", text: "Go on." } }],
      "POST runs/[id]/nodes/[nodeId]/answer": [
        { params: { id: runs[0], nodeId: "1" }, body: { decision: "approved", question: 1 } },
      ],
      "POST schedules": ofProviders((key) => ({ flow, name: "S", cron: key, timeZone: "UTC", input: "" })),
      "POST schedules/preview": ofProviders((key) => ({ cron: "0 9 * * *", timeZone: key })),
      "PUT schedules/[id]": [{ params: { id: "none" }, body: { [canaries.openai]: 1 } }],
      "DELETE schedules/[id]": [{ params: { id: "none" } }],
      "POST webhooks": ofProviders((key) => ({ flow, name: "W", inputPath: `a.${key}.`, enabled: true })),
      "PUT webhooks/[id]": [{ params: { id: "none" }, body: { [canaries.openai]: 1 } }],
      "DELETE webhooks/[id]": [{ params: { id: "none" } }],
      "POST webhooks/[id]/secret": [{ params: { id: "none" } }],
      "POST ../hooks/[token]": [token, "none"].map((name) => ({ params: { token: name }, body: { text: "Go." } })),
      "POST flows/[id]/links": [
        { params: { id: flow }, body: {} },
        ...ofProviders((key) => ({ expiresAt: key })).map((entry) => ({ ...entry, params: { id: flow } })),
      ],
      "POST runs/[id]/links": runs.slice(-1).map((id) => ({ params: { id }, body: { texts: [canaries.openai] } })),
      "PUT flows/[id]/reach": [{ params: { id: flow } }],
      "POST flows/[id]/reach": [{ params: { id: flow }, body: { reach: [canaries.openai] } }],
      "PUT flows/[id]/gallery": [{ params: { id: flow }, body: { listed: true } }],
      "POST copies": [{ body: { flow } }, { body: { token: canaries.openai } }],
      "DELETE links/[id]": [{ params: { id: "none" } }],
      "POST ../shared/[token]/runs": [{ params: { token: canaries.openai }, body: { input: "x" } }],
      "POST keys": [
        { body: { name: "CI", scopes: ["runs:read"] } },
        ...ofProviders((key) => ({ name: "K", scopes: [key] })),
      ],
      "DELETE keys/[id]": [{ params: { id: "none" } }],
      "POST ../auth/[...endpoint]": [{ params: { endpoint: "sign-in" }, body: { email: canaries.openai } }],
      "POST teams": [{ body: { name: canaries.openai } }],
      "PATCH teams/[id]": [{ params: { id: "local" }, body: { name: "My team" } }],
      "DELETE teams/[id]": [{ params: { id: "local" }, body: { name: canaries.openai } }],
      "PATCH teams/[id]/members/[userId]": [{ params: { id: "local", userId: "none" }, body: { role: "viewer" } }],
      "DELETE teams/[id]/members/[userId]": [{ params: { id: "local", userId: "none" } }],
      "POST teams/[id]/members/[userId]/reset-link": [{ params: { id: "local", userId: "none" } }],
      "POST teams/[id]/invitations": [{ params: { id: "local" }, body: { role: "viewer" } }],
      "DELETE teams/[id]/invitations/[invitationId]": [{ params: { id: "local", invitationId: "none" } }],
      "POST invitations/[token]/accept": [{ params: { token: canaries.openai } }],
      "PUT flows/[id]/members/[userId]": [{ params: { id: flow, userId: "none" }, body: { role: null } }],
      "PUT settings/limits": ofProviders((key) => ({ maxRunsPerDay: key })),
      "PUT settings/tools": ofProviders((key) => ({ switchedOff: [key], needApproval: [], httpHosts: [key] })),
      "PUT settings/approvals": [{ body: { starterMayNotApprove: false } }],
      "PUT settings/retention": [
        ...ofProviders((key) => ({ enabled: false, days: key, keep: 10 })),
        ...ofProviders((key) => ({ [key]: 3 })),
      ],
      "POST settings/retention/preview": ofProviders((key) => ({ enabled: false, days: 30, keep: key })),
      "PUT settings/trace-export": [
        { body: { endpoint: `${server.url}/traces`, headers: {}, content: true, enabled: false } },
      ],
      "POST settings/trace-export/test": [
        { body: { endpoint: `${server.url}/traces`, headers: {}, content: true, enabled: false } },
      ],
    };
    for (const route of routes) {
      const text = readFileSync(path.join(routesFolder, route, "route.ts"), "utf8");
      const methods = [...text.matchAll(/^export const ([A-Z]+) =/gm)].map(([, method]) => String(method));
      expect(methods, `${route} exports its methods as constants`).not.toEqual([]);
      for (const method of methods.filter((name) => name !== "GET")) {
        const entries = changes[`${method} ${route}`];
        expect(entries, `${method} ${route} needs an entry in \`changes\` of this test`).toBeDefined();
        for (const entry of entries ?? []) await ask(route, method, entry);
      }
      if (!methods.includes("GET")) continue;
      if (!route.includes("[")) {
        await ask(route, "GET", { url: route === "runs/compare" ? `?runs=${runs.slice(0, 2).join(",")}` : "" });
        continue;
      }
      const isOfRun = /^(runs|agents)\/\[id\]/.test(route);
      if (/^(teams\/\[id\]|\.\.\/auth\/|\.\.\/shared\/)/.test(route)) {
        await ask(route, "GET", { params: { id: "local", endpoint: "get-session", token: canaries.openai } });
        continue;
      }
      expect(isOfRun || route.startsWith("flows/[id]"), `${route}: what this test puts in for its parameters`).toBe(
        true,
      );
      for (const id of isOfRun ? runs : [flow]) {
        const url = route.endsWith("/otlp") ? "?content=1" : "";
        if (!route.includes("[nodeId]")) await ask(route, "GET", { url, params: { id, revision } });
        else
          for (const nodeId of await stepsOf(id))
            for (const field of route.includes("[field]") ? textFields : [""])
              await ask(route, "GET", { params: { id, nodeId: String(nodeId), field } });
      }
    }
    expect(asked.size).toBeGreaterThan(35);
    expect([...undeclared]).toEqual([]);
    expect(seen.length).toBeGreaterThan(500);
    expect(findLeaks(seen)).toEqual([]);
  }, 120_000);

  test("is in no log line, in no backup, and in no file of the data folder", async () => {
    expect(log.length).toBeGreaterThan(3);
    await backUp(path.join(dataFolder, "backup.db"), { overwrite: false });
    const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(["swarmloom.db", "backup.db"]));
    const texts = files.map((file) => ({
      where: file.name,
      text: readFileSync(path.join(file.parentPath, file.name), "latin1"),
    }));
    expect(findLeaks([...texts, ...log.map((text) => ({ where: "log", text }))])).toEqual([]);
    const secret = readFileSync(path.join(dataFolder, "secret"), "utf8").trim();
    const elsewhere = [...seen, ...log.map((text) => ({ where: "log", text })), ...texts].filter(({ text }) =>
      text.includes(secret),
    );
    expect(elsewhere.map(({ where }) => where)).toEqual(["secret"]);
  });
});

test("what is shown once is in that answer only: in no other, no log line, no backup and no file", async () => {
  const shownOnce = new Map<string, string>();
  const show = async (name: string, route: string, options: Parameters<typeof call>[2]): Promise<void> => {
    const { answer } = await call(route, "POST", options);
    shownOnce.set(name, String(/"(?:secret|token)":"([^"]+)"/.exec(answer)?.[1]));
  };
  const before = seen.length;
  await show("the secret of an API key", "keys", { body: { name: "Once", scopes: ["runs:read"] } });
  await show("the secret of a webhook", "webhooks", { body: { flow, name: "Once" } });
  await show("the token of an invitation", "teams/[id]/invitations", {
    params: { id: "local" },
    body: { role: "viewer" },
  });
  const answers = seen.length;
  expect([...shownOnce.values()].every((secret) => secret.length >= 24)).toBe(true);
  for (const route of ["keys", "webhooks", "audit", "connections", "settings/queue", "teams/[id]/invitations"])
    if (routes.includes(route)) await call(route, "GET", { params: { id: "local" } });
  expect(seen.length - answers).toBeGreaterThanOrEqual(4);
  await backUp(path.join(dataFolder, "backup.db"), { overwrite: true });
  const stored = readdirSync(dataFolder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => ({
      where: file.name,
      text: readFileSync(path.join(file.parentPath, file.name), "latin1"),
    }));
  const texts = [...seen.slice(answers), ...log.map((text) => ({ where: "log", text })), ...stored];
  const found = [...shownOnce].flatMap(([name, secret]) =>
    texts.filter(({ text }) => text.includes(secret)).map(({ where }) => `${name}: ${where}`),
  );
  expect(found).toEqual([]);
  expect(answers - before).toBe(shownOnce.size);
});

const findLeaks = (texts: readonly { where: string; text: string }[]): string[] => [
  ...new Set(
    texts.flatMap(({ where, text }) => {
      const leak = forbidden.find((part) => text.includes(part));
      const at = leak === undefined ? -1 : text.indexOf(leak);
      return at < 0 ? [] : `${where}: …${text.slice(Math.max(0, at - 60), at + 60)}…`;
    }),
  ),
];
