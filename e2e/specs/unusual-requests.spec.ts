import { readdirSync } from "node:fs";
import path from "node:path";
import { type RawAnswer, sendRaw } from "../fixtures/raw-request";
import { expect, test } from "../fixtures/test";

const folder = path.join(import.meta.dirname, "../../app/api");
/** Paths of the API as its folders name them: `/api/v1/runs/[id]`. */
const routes = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "route.ts" && !file.startsWith("[["))
  .map((file) => `/api/${path.dirname(file).replaceAll(path.sep, "/")}`);

const pages = ["/", "/runs", "/runs/open", "/runs/compare", "/settings", "/flows/[id]", "/runs/[id]", "/nothing/[id]"];

const oddIds = [
  "%",
  "%zz",
  "%c0%80",
  "%E4",
  "%00",
  "a%00b",
  "%2e%2e",
  "..%2f..%2fetc",
  "%ED%A0%80",
  "%F0%9F%98%80",
  "0",
  "-1",
  "1e3",
  "999999999",
  "99999999999999999999",
  "'%20OR%201=1--",
  "%25",
  "[object%20Object]",
  "x".repeat(4000),
];

const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "PURGE", "QUERY", "TRACE"];

const oddQueries = [
  "after=999999999999",
  "after=2147483647",
  "after=-1",
  "after=1e9",
  "after=%00",
  "node=2147483647",
  "before=2147483647",
  "before=999999999999999_x",
  "before=%zz",
  "limit=999999999999",
  "limit=NaN",
  "limit=1e400",
  "q=%00",
  "q=%ED%A0%80%25_!",
  "zone=Nowhere/Nothing",
  "zone=%00",
  "from=275760-09-13T00:00:00Z&to=0000-01-01T00:00:00Z",
  "from=9999-12-31T23:59:59.999Z",
  "costFrom=999999999.999999999",
  "runs=%00,%00",
  "runs=,,,,",
  "run=%00",
  "only=text,,nothing",
  "cut=2&download=2&content=2",
  "__proto__=1&constructor=1",
  "a=1&a=2&a[]=3",
  "=",
  `q=${"x".repeat(10_000)}`,
];

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const oddBodies: (string | Buffer)[] = [
  "",
  "null",
  "[]",
  "{}",
  '"text"',
  "1e999",
  "{",
  '{"source":null}',
  '{"source":"\\u0000"}',
  '{"source":"\\ud800","input":"\\ud800","goal":"\\ud800","text":"\\ud800","agent":"\\ud800"}',
  '{"__proto__":{"a":1}}',
  '{"input":"x","messages":[null]}',
  '{"input":"x","revision":"\\u0000"}',
  '{"question":1e300,"decision":"approved"}',
  '{"question":9007199254740991,"decision":"approved"}',
  '{"endpoint":"http://[::1","headers":[],"content":false,"enabled":true}',
  nested(100_000),
  `{"schema":{"a":${nested(100_000)}},"text":"x"}`,
  `{"schema":{"allOf":${nested(3_000)}},"text":"x"}`,
  Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
];

test("no request, however unusual, is answered with a server error", async ({ api, app }) => {
  test.setTimeout(300_000);
  const source = `name: Odd\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n`;
  const { id: flow } = await api.createFlow(source);
  const run = (await api.waitForRun(await api.startRun(flow, "Looms"))).id;

  const failures: string[] = [];
  let count = 0;
  const check = async (request: Parameters<typeof sendRaw>[1]): Promise<RawAnswer> => {
    const answer = await sendRaw(app.url, request);
    count++;
    const isBare = answer.status === 308 || answer.headers["x-content-type-options"] === "nosniff";
    if (answer.status >= 500 || !isBare)
      failures.push(
        `${request.method ?? "GET"} ${request.path.slice(0, 200)} ${String(request.body).slice(0, 60)}: ${answer.status}`,
      );
    return answer;
  };
  const fill = (route: string, id: string): string => route.replaceAll(/\[\w+\]/g, id);
  const real = (route: string): string =>
    route
      .replace("[nodeId]", "1")
      .replace("[field]", "output")
      .replace(
        "[id]",
        route.startsWith("/api/v1/flows") ? flow : route.startsWith("/api/v1/agents") ? `${run}:2` : run,
      );
  const json = { "content-type": "application/json" };

  for (const route of [...routes, ...pages]) {
    if (route.includes("[")) for (const id of oddIds) await check({ path: fill(route, id) });
    for (const method of methods) await check({ path: fill(route, "nothing"), method });
    for (const query of oddQueries) await check({ path: `${real(route)}?${query}` });
  }
  for (const route of routes)
    for (const body of oddBodies)
      for (const method of ["POST", "PUT"]) await check({ path: real(route), method, headers: json, body });

  for (const name of ["last-event-id", "cookie", "authorization", "accept-language", "rsc", "next-action", "x-nonce"])
    for (const value of ["999999999999", "-1", "\u00ff".repeat(100), "%", "a=b; ;=", "null"])
      for (const target of ["/", `/api/v1/runs/${run}/events`])
        await check({ path: target, headers: { [name]: value } });

  expect(count).toBeGreaterThan(2000);
  expect(failures).toEqual([]);
});

test("unusual requests get a clear refusal", async ({ app }) => {
  const statusOf = async (request: Parameters<typeof sendRaw>[1]): Promise<number> =>
    (await sendRaw(app.url, request)).status;
  expect(await statusOf({ path: "/api/v1/runs/%" })).toBe(400);
  expect(await statusOf({ path: "/runs/%zz" })).toBe(400);
  expect(await statusOf({ path: "/api/v1/runs/x/events?after=999999999999" })).toBe(400);
  expect(await statusOf({ path: "/api/v1/nothing" })).toBe(404);
  expect(await statusOf({ path: "/", method: "DELETE" })).toBe(405);
  const foreign = await sendRaw(app.url, { path: "/runs", headers: { host: "swarms.example" } });
  expect(foreign.status).toBe(403);
  expect(foreign.body).toContain("Open http://127.0.0.1 instead");
});

test("a request that a proxy forwarded from elsewhere is refused, whatever its Host", async ({ app }) => {
  const forwardings: Record<string, string>[] = [
    { "x-forwarded-for": "203.0.113.9" },
    { forwarded: "for=203.0.113.9" },
    { via: "1.1 edge" },
  ];
  for (const target of ["/", "/runs", "/api/health", "/api/v1/flows"])
    for (const headers of forwardings)
      expect((await sendRaw(app.url, { path: target, headers })).status, target).toBe(403);
  expect((await sendRaw(app.url, { path: "/api/health", headers: { "x-forwarded-for": "127.0.0.1" } })).status).toBe(
    200,
  );
});

test("a page on another port of this machine cannot read anything", async ({ app }) => {
  const headers = { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" };
  expect((await sendRaw(app.url, { path: "/api/v1/flows", headers })).status).toBe(403);
  expect((await sendRaw(app.url, { path: "/runs", headers })).status).toBe(403);
});
