import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as readViewer from "@/lib/server/accounts/read-viewer";
import { toTeamViewer, type Viewer } from "@/lib/server/auth/viewer";
import { measureLongestBlock } from "@/lib/server/testing/longest-block";
import { POST } from "./route";

async function check(body: string) {
  const headers = { host: "127.0.0.1:3000", "content-type": "application/json" };
  const request = new Request("http://127.0.0.1:3000/api/v1/check-answer", { method: "POST", headers, body });
  const response = await POST(request, { params: Promise.resolve({}) });
  return { status: response.status, body: await response.json() };
}
const checkSchema = (schema: object, text = "5") => check(JSON.stringify({ schema, text }));

beforeEach(() => {
  globalThis.swarmloomRates = undefined;
});
afterEach(() => vi.restoreAllMocks());

/** Each of the 200 schemas reads all items. */
const slow = {
  schema: { allOf: Array.from({ length: 200 }, () => ({ uniqueItems: true })) },
  text: JSON.stringify(Array.from({ length: 60_000 }, (_, nth) => nth)),
};

describe("POST /api/v1/check-answer", () => {
  test("tells whether a text fits", async () => {
    expect(await checkSchema({ type: "number" })).toEqual({ status: 200, body: { ok: true } });
    const misfit = await checkSchema({ type: "string" });
    expect(misfit).toMatchObject({
      status: 200,
      body: { ok: false, message: expect.stringContaining("must be string") },
    });
    const unusable = await checkSchema({ type: "nothing" });
    expect(unusable).toMatchObject({
      status: 200,
      body: { ok: false, message: expect.stringContaining("cannot be used") },
    });
  });

  test("a check that takes long ends, and holds no one up", async () => {
    const { result, longestBlockMs } = await measureLongestBlock(() => checkSchema(slow.schema, slow.text));
    expect(result).toMatchObject({
      status: 200,
      body: { ok: false, message: expect.stringMatching(/took too long/) },
    });
    expect(longestBlockMs).toBeLessThan(2_000);
  });

  test("answers 400 to a text of more than 500,000 characters", async () => {
    expect((await checkSchema({}, `"${"x".repeat(499_998)}"`)).status).toBe(200);
    const { status, body } = await checkSchema({}, `"${"x".repeat(499_999)}"`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("500000")]);
  });

  test("answers members who may read flows, so often in a minute", async () => {
    const beViewer = (viewer: Viewer) => vi.spyOn(readViewer, "requireViewer").mockResolvedValue(viewer);
    const member = toTeamViewer({ id: "user:a", name: "Ann" }, { teamId: "t", role: "viewer" });
    beViewer({ ...member, roles: new Map() });
    expect(await checkSchema({})).toMatchObject({ status: 403 });
    beViewer({ ...member, scopes: new Set(["runs:read"]) });
    expect(await checkSchema({})).toMatchObject({ status: 403 });
    beViewer(member);
    for (let count = 0; count < 120; count++) await check("");
    expect(await checkSchema({})).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
    expect(await checkSchema({}, "x".repeat(500_001))).toMatchObject({ status: 429 });
  });

  test.each([
    ["that refers to itself", { $ref: "#" }],
    ["that refers to itself in a part", { allOf: [{ $ref: "#" }] }],
    ["that is asynchronous", { $async: true }],
  ])("answers 400 to a schema %s", async (_, schema) => {
    const { status, body } = await checkSchema(schema);
    expect([status, body.error.code]).toEqual([400, "bad_request"]);
    expect(body.error.message).toMatch(/^`schema`: it /);
  });

  test("answers 400 to what is no schema, and survives 200,000 brackets", async () => {
    expect((await checkSchema([])).body.error.message).toContain("expected a JSON Schema");
    const brackets = (keyword: string) => `{"text":"5","schema":{"${keyword}":${"[".repeat(2e5)}${"]".repeat(2e5)}}}`;
    const objects = `{"text":"5","schema":${'{"items":'.repeat(5e4)}{}${"}".repeat(5e4)}}`;
    expect((await check(brackets("enum"))).status).toBeLessThan(500);
    expect((await check(brackets("items"))).status).toBeLessThan(500);
    expect((await check(objects)).body.error.message).toContain("nests more than");
  });
});
