import { expect, test, vi } from "vitest";
import { z } from "zod";
import { AppError } from "../app-error";
import { readEventNumber, readJson, readQuery, route } from "./route";

// No route of this file needs the database.
vi.mock("../start", () => ({ startServices: async () => undefined }));

const url = "http://127.0.0.1:3000/api/v1/things";
const context = { params: Promise.resolve({}) };
const post = (body: BodyInit, headers: Record<string, string> = {}): Request =>
  new Request(url, {
    method: "POST",
    body,
    headers: { host: "127.0.0.1:3000", "content-type": "application/json", ...headers },
  });
const echo = route(async (viewer, request) => {
  const body = await readJson(request, z.strictObject({ size: z.number().positive() }), 100);
  return Response.json({ viewer: viewer.id, ...body });
});

/** Status and body of an answer. */
async function answerOf(pending: Promise<Response>): Promise<[number, unknown]> {
  const answer = await pending;
  return [answer.status, await answer.json()];
}

test("authorises, reads and answers", async () => {
  expect(await answerOf(echo(post('{"size":3}'), context))).toEqual([200, { viewer: "local", size: 3 }]);
});

test.each([
  ["no JSON", "{", 400, /not valid JSON/],
  ["nothing", "", 400, /not valid JSON/],
  ["a wrong type", '{"size":"3"}', 400, /^`size`: /],
  ["a wrong value", '{"size":-3}', 400, /^`size`: /],
  ["a key too many", '{"size":3,"colour":1}', 400, /colour/],
  ["null", "null", 400, /object/],
  ["too much", `{"size":3${" ".repeat(200)}}`, 413, /larger than 100 bytes/],
])("refuses %s", async (_, body, status, message) => {
  const answer = await answerOf(echo(post(body), context));
  expect(answer).toEqual([
    status,
    { error: { code: status === 413 ? "too_large" : "bad_request", message: expect.stringMatching(message) } },
  ]);
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonp",
  "",
])("a body that is not declared as JSON, as a form of another site sends it, is refused: %s", async (type) => {
  const answer = await answerOf(echo(post('{"size":3}', { "content-type": type }), context));
  expect(answer).toMatchObject([415, { error: { code: "unsupported_media_type" } }]);
  expect(answer[1]).toMatchObject({ error: { message: expect.stringContaining("application/json") } });
});

test("a body that nests deeper than any schema is refused before it is checked", async () => {
  const nest = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const anything = route(async (_, request) => Response.json(await readJson(request, z.json())));
  const [status] = await answerOf(anything(post(nest(150)), context));
  expect(status).toBe(200);
  const answer = await answerOf(anything(post(nest(100_000)), context));
  expect(answer).toMatchObject([400, { error: { message: expect.stringContaining("nests more than 200") } }]);
});

test("a body with tens of thousands of members is refused before each of them is checked", async () => {
  const pins = (count: number) =>
    JSON.stringify({ pins: Object.fromEntries(Array.from({ length: count }, (_, nth) => [`n${nth}`, { x: nth }])) });
  const schema = z.strictObject({ pins: z.record(z.string(), z.strictObject({ dx: z.number(), dy: z.number() })) });
  const layout = route(async (_, request) => Response.json(await readJson(request, schema, 5_000_000)));
  expect(await answerOf(layout(post(pins(60_000)), context))).toMatchObject([
    400,
    { error: { message: expect.stringContaining("more than 10000 members") } },
  ]);
  expect(await answerOf(layout(post(pins(10_000)), context))).toMatchObject([
    400,
    { error: { message: expect.stringMatching(/^`pins\.n0\.dx`/) } },
  ]);
});

test.each(["application/json; charset=utf-8", "Application/JSON"])("%s is JSON", async (type) => {
  expect(await answerOf(echo(post('{"size":3}', { "content-type": type }), context))).toMatchObject([200, { size: 3 }]);
});

test("the number of an event is one that the database can hold", () => {
  const read = (query: string, headers: Record<string, string> = {}) =>
    readEventNumber(new Request(url + query, { headers }));
  expect([read(""), read("?after=7"), read("?after=7", { "last-event-id": "9" })]).toEqual([0, 7, 9]);
  expect(read("?after=2147483647")).toBe(2_147_483_647);
  for (const wrong of ["2147483648", "999999999999", "-1", "1e3", "x", ""])
    expect(() => read(`?after=${wrong}`), wrong).toThrow(expect.objectContaining({ code: "bad_request" }));
});

test("a body is measured, whatever its header declares", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(64).fill(32)),
  });
  const request = new Request(url, {
    method: "POST",
    body: endless,
    headers: { host: "127.0.0.1:3000", "content-type": "application/json", "content-length": "5" },
    ...{ duplex: "half" },
  });
  expect(await answerOf(echo(request, context))).toMatchObject([413, { error: { code: "too_large" } }]);
});

test("foreign pages are refused before anything is read", async () => {
  const request = post('{"size":3}', { origin: "https://evil.example" });
  expect(await answerOf(echo(request, context))).toMatchObject([403, { error: { code: "forbidden" } }]);
  expect(request.bodyUsed).toBe(false);
});

test("an internal error reveals nothing to the client", async () => {
  const broken = route(async () => {
    throw new Error("password is hunter2");
  });
  const [status, body] = await answerOf(broken(post("{}"), context));
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain("hunter2");
  expect(body).toMatchObject({ error: { code: "internal" } });
});

test("a database fault has a message for users, and the request may be retried", async () => {
  const locked = route(async () => {
    throw Object.assign(new Error("database is locked"), { name: "SqliteError", code: "SQLITE_BUSY" });
  });
  expect(await answerOf(locked(post("{}"), context))).toEqual([
    503,
    { error: { code: "unavailable", message: expect.stringMatching(/^The database is locked by another program/) } },
  ]);
});

test("queries are checked like bodies", () => {
  const schema = z.object({ limit: z.coerce.number().int().max(10) });
  expect(readQuery(new Request(`${url}?limit=7`), schema)).toEqual({ limit: 7 });
  expect(() => readQuery(new Request(`${url}?limit=x`), schema)).toThrow(AppError);
  expect(() => readQuery(new Request(`${url}?limit=70`), schema)).toThrow(/limit/);
});
