import fc from "fast-check";
import { z } from "zod";
import { toAnswerCheck } from "@/app/api/testing/declared-answers";
import { ApiUser } from "../fixtures/api-user";
import { type FuzzRequest, FuzzRequests } from "../fixtures/fuzz-requests";
import { listLargeRequests } from "../fixtures/large-requests";
import { startTeamServer, type TeamServer } from "../fixtures/team-server";
import { expect, test } from "../fixtures/test";

const count = Number(process.env.FUZZ_REQUESTS ?? 1_000);
const seed = Number(process.env.FUZZ_SEED ?? 1);
const together = 4;
/** An answer that is still being streamed then is cut off. */
const longestMs = 20_000;

test.describe.configure({ timeout: 120_000 + count * 200 });

let server: TeamServer;
test.beforeAll(async () => {
  server = await startTeamServer({
    SWARMLOOM_RATE_LIMIT: "0",
    SWARMLOOM_RATE_LIMIT_RUNS: "0",
    SWARMLOOM_DEMO_SPEED: "0",
    // A PostgreSQL database without data, in place of a new SQLite one.
    ...(process.env.FUZZ_DATABASE_URL && { DATABASE_URL: process.env.FUZZ_DATABASE_URL }),
  });
});
test.afterAll(() => server.stop());

const errorSchema = z.object({ error: z.object({ code: z.string().min(1), message: z.string().min(1) }) });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const toSource = (mark: string): string =>
  `name: Flow ${mark}\nagents:\n  a: { model: "demo:a", instructions: "Say ${mark}" }\nswarm: { type: workflow, flow: a }\n`;

/** Something of every kind in the user's team, with a mark in every text; and the ids of it. */
async function fill(user: ApiUser, { team, mark }: { team: string; mark: string }): Promise<Record<string, string>> {
  const of = (address: string): string => `/api/v1${address}?team=${team}`;
  const flow = await user.read("POST", of("/flows"), { source: toSource(mark) });
  const id = String(flow.id);
  await user.read("PATCH", `/api/v1/flows/${id}/revisions/${flow.revision}`, { name: `Version ${mark}` });
  const run = await user.read("POST", `/api/v1/flows/${id}/runs`, { input: `Input ${mark}` });
  await expect.poll(async () => (await user.read("GET", `/api/v1/runs/${run.id}`)).status).toBe("SUCCESS");
  const schedule = { flow: id, name: `S ${mark}`, cron: "0 9 * * *", timeZone: "UTC", input: mark, enabled: false };
  const comment = await user.read("POST", `/api/v1/flows/${id}/comments`, { body: `Comment ${mark}` });
  const key = await user.read("POST", of("/keys"), { name: `Key ${mark}`, scopes: ["flows:read"] });
  const invitation = { role: "viewer", email: `${mark}@example.org`.toLowerCase() };
  const invited = await user.read("POST", `/api/v1/teams/${team}/invitations`, invitation);
  return {
    flow: id,
    revision: String(flow.revision),
    run: String(run.id),
    schedule: String((await user.read("POST", of("/schedules"), schedule)).id),
    webhook: String((await user.read("POST", of("/webhooks"), { flow: id, name: `W ${mark}` })).webhook.id),
    comment: String(comment.id),
    key: String(key.id),
    invitation: String(invited.id),
    team,
  };
}

/** What is there for the parameters of a path; `spare`: what may be deleted. */
const toParameters =
  (kept: Record<string, string>, spare: Record<string, string>) =>
  (path: string, method: string): Record<string, string> => {
    const ids = method === "DELETE" ? spare : kept;
    const id = { flows: ids.flow, runs: ids.run, agents: "1", schedules: ids.schedule, webhooks: ids.webhook };
    const more = { comments: ids.comment, keys: ids.key, teams: ids.team };
    const own = { ...id, ...more }[path.split("/")[1] ?? ""];
    return { ...ids, nodeId: "2", field: "output", provider: "openai", ...(own !== undefined && { id: own }) };
  };

function toAddress({ path, parameters, query }: FuzzRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(parameters[name] ?? "none"));
  return `/api/v1${filled}?${query.map(([name, text]) => `${encode(name)}=${encode(text)}`).join("&")}`;
}

/** Half of a pair of surrogates has no form in an address. */
const encode = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd"));

/** Limit of the time in which the server answers that it is healthy, whatever else it is asked. */
const healthLimitMs = 1_000;

/** Asks for the health of the server all the time, and reports each answer that takes too long or is another one. */
function watchHealth(user: ApiUser, report: (slow: string) => void) {
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const started = performance.now();
      const { status } = await user.send("GET", "/api/health");
      const ms = Math.round(performance.now() - started);
      if (status !== 200 || ms > healthLimitMs) report(`GET /api/health answers with ${status} after ${ms} ms`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    end: () => {
      isOver = true;
      return watching;
    },
  };
}

/**
 * The requests during which the server was not healthy, twice in a row: on a busy machine it may have had no processor the
 * first time.
 */
class HealthCheck {
  readonly #user: ApiUser;
  readonly #inFlight = new Map<string, () => Promise<unknown>>();
  readonly #suspects = new Map<string, () => Promise<unknown>>();
  readonly #watch: ReturnType<typeof watchHealth>;
  constructor(user: ApiUser) {
    this.#user = user;
    this.#watch = watchHealth(user, () => {
      for (const [name, send] of this.#inFlight) this.#suspects.set(name, send);
    });
  }
  /** Sends a request while the health is watched. */
  async during<Answer>(name: string, send: () => Promise<Answer>): Promise<Answer> {
    this.#inFlight.set(name, send);
    try {
      return await send();
    } finally {
      this.#inFlight.delete(name);
    }
  }
  /** Sends what is suspected again, one after the other. Returns what was slow again. */
  async end(): Promise<string[]> {
    await this.#watch.end();
    const confirmed: string[] = [];
    for (const [name, send] of this.#suspects) {
      const watch = watchHealth(this.#user, (slow) => confirmed.push(`${slow} during ${name}`));
      await send().catch(() => undefined);
      await watch.end();
    }
    return confirmed;
  }
}

const metricOf = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);

/** Requests between two readings of the server's memory. */
const memoryInterval = 250;

/** Megabytes that the server's process holds, read as requests go on. */
class MemoryReadings {
  readonly #operator: ApiUser;
  readonly readings: number[] = [];
  constructor(operator: ApiUser) {
    this.#operator = operator;
  }
  async read(): Promise<void> {
    const { text } = await this.#operator.send("GET", "/api/metrics");
    this.readings.push(Math.round(metricOf(text, "process_resident_memory_bytes") / 1_000_000));
  }
  /** The least of the second and of the last third: between them a server that keeps nothing of its requests does not grow. */
  get floors(): { middle: number; last: number } {
    const third = Math.floor(this.readings.length / 3);
    return {
      middle: Math.min(...this.readings.slice(third, 2 * third)),
      last: Math.min(...this.readings.slice(2 * third)),
    };
  }
}

test(`${count} requests of every kind: none fails inside, none answers with another team's data`, async () => {
  const marks = { own: "mine7c1e", foreign: "theirs9f3a" };
  const anonymous = new ApiUser(server, "anonymous");
  const owner = await new ApiUser(server, "owner").signUp(server.token);
  const stranger = await new ApiUser(server, `stranger-${marks.foreign}`).signUp(server.token);
  const [strangersTeam] = (await stranger.read("GET", "/api/v1/me")).teams;
  await stranger.read("PATCH", `/api/v1/teams/${strangersTeam.id}`, { name: `Team ${marks.foreign}` });
  const foreign = await fill(stranger, { team: strangersTeam.id, mark: marks.foreign });
  const own = await fill(owner, { team: "local", mark: marks.own });
  const spare = await fill(owner, { team: "local", mark: `${marks.own}-spare` });
  const join = async (role: string): Promise<ApiUser> => {
    const { token } = await owner.read("POST", "/api/v1/teams/local/invitations", { role });
    const user = await new ApiUser(server, role).signUp(token);
    await user.read("POST", `/api/v1/invitations/${token}/accept`);
    return user;
  };
  const scopes = ["flows:read", "runs:read", "comments:write", "runs:write", "flows:write"];
  const { secret } = await owner.read("POST", "/api/v1/keys?team=local", { name: "Fuzz", scopes });
  const [editor, admin, viewer] = [await join("editor"), await join("admin"), await join("viewer")];
  const users = [
    ...[editor, editor, editor, admin, admin, admin, viewer, anonymous].map((user) => ({ user, key: "" })),
    { user: new ApiUser(server, "key"), key: String(secret) },
  ];
  const document: object = JSON.parse((await anonymous.send("GET", "/api/v1/openapi.json")).text);
  const requests = new FuzzRequests(document, [...Object.values(spare), ...Object.values(foreign), "demo:a"]);
  const arbitrary = fc.tuple(requests.any(toParameters(own, spare)), fc.constantFrom(...users));
  const findUndeclared = toAnswerCheck(document);
  const mistakes: string[] = [];
  const statuses = new Map<number, number>();

  const ask = async ({ request, user, key }: { request: FuzzRequest; user: ApiUser; key: string }): Promise<void> => {
    const { method, path, headers, body } = request;
    const address = toAddress(request);
    const report = (mistake: string): void => {
      mistakes.push(
        `${mistake}\n  ${method} ${address.slice(0, 300)} as ${user.name} ${JSON.stringify(headers)} ${body?.slice(0, 500)}`,
      );
    };
    const send = (): Promise<Response> =>
      user.ask(method, address, {
        headers: { ...headers, ...(key !== "" && { authorization: `Bearer ${key}` }) },
        body,
        signal: AbortSignal.timeout(longestMs),
      });
    const response = await health.during(`${method} ${address.slice(0, 300)} ${body?.slice(0, 500)}`, send);
    const text = await response
      .clone()
      .text()
      .catch(() => "");
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (response.status >= 500) report(`answers with ${response.status}: ${text.slice(0, 300)}`);
    if (text.includes(marks.foreign)) report(`answers with another team's data: ${text.slice(0, 300)}`);
    if (text.includes(String(secret))) report("answers with the secret of an API key");
    // 431 is the parser's, which reads no further.
    if (response.status >= 400 && response.status !== 431 && !errorSchema.safeParse(parseJson(text)).success)
      report(`answers with ${response.status} without the code and message of an error: ${text.slice(0, 300)}`);
    if (response.status < 300) {
      const undeclared = await findUndeclared(path, method, response).catch(String);
      if (undeclared !== null) report(undeclared);
    }
  };

  // Drawing them keeps this process busy for seconds, in which it would not see an answer about the health.
  const sampled = fc.sample(arbitrary, { numRuns: count, seed });
  const health = new HealthCheck(anonymous);
  for (const { name, method, address, body } of listLargeRequests("local", own.flow ?? "")) {
    const headers = { "content-type": "application/json" };
    const send = (): Promise<Response> =>
      owner.ask(method, address, { headers, body, signal: AbortSignal.timeout(longestMs) });
    const status = await health.during(name, send).then(
      (answer) => answer.status,
      // The connection ends where a body is not read to its end.
      (error: unknown) => (error instanceof DOMException ? `no answer: ${error}` : 413),
    );
    if (typeof status === "string" || status >= 500) mistakes.push(`${name} (${method} ${address}): ${status}`);
  }
  const next = sampled.entries();
  const memory = new MemoryReadings(owner);
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (const [index, [request, user]] of next) {
        if (index % memoryInterval === 0) await memory.read();
        await ask({ request, ...user });
      }
    }),
  );
  mistakes.push(...(await health.end()));
  test.info().annotations.push({ type: "statuses", description: JSON.stringify([...statuses].sort()) });
  console.log(`seed ${seed}, ${count} requests, answers by status: ${JSON.stringify([...statuses].sort())}`);
  console.log(`megabytes of the server, every ${memoryInterval} requests: ${memory.readings.join(" ")}`);
  expect(mistakes.slice(0, 20)).toEqual([]);
  const { middle, last } = memory.floors;
  // The first thousands of requests fill caches and load modules.
  if (count >= 10_000) expect(last).toBeLessThan(middle * 1.15);
  expect((await anonymous.send("GET", "/api/health")).status).toBe(200);
});
