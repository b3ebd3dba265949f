import { expect, test } from "vitest";
import { z } from "zod";
import { AppError } from "./app-error";
import { readJson, readQuery, route } from "./http";

const url = "http://127.0.0.1:3000/api/v1/things";
const context = { params: Promise.resolve({}) };
const post = (body: BodyInit, headers: Record<string, string> = {}): Request =>
  new Request(url, { method: "POST", body, headers: { host: "127.0.0.1:3000", ...headers } });
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

test("a body is measured, whatever its header says", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(64).fill(32)),
  });
  const request = new Request(url, {
    method: "POST",
    body: endless,
    headers: { host: "127.0.0.1:3000", "content-length": "5" },
    ...{ duplex: "half" },
  });
  expect(await answerOf(echo(request, context))).toMatchObject([413, { error: { code: "too_large" } }]);
});

test("foreign pages are refused before anything is read", async () => {
  const request = post('{"size":3}', { origin: "https://evil.example" });
  expect(await answerOf(echo(request, context))).toMatchObject([403, { error: { code: "forbidden" } }]);
  expect(request.bodyUsed).toBe(false);
});

test("a fault inside says nothing of itself to the outside", async () => {
  const broken = route(async () => {
    throw new Error("password is hunter2");
  });
  const [status, body] = await answerOf(broken(post("{}"), context));
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain("hunter2");
  expect(body).toMatchObject({ error: { code: "internal" } });
});

test("a fault of the database is said in words for people, and may be tried again", async () => {
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
