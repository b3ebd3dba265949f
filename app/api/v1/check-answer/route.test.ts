import { describe, expect, test } from "vitest";
import { POST } from "./route";

async function check(body: string) {
  const headers = { host: "127.0.0.1:3000", "content-type": "application/json" };
  const request = new Request("http://127.0.0.1:3000/api/v1/check-answer", { method: "POST", headers, body });
  const response = await POST(request, { params: Promise.resolve({}) });
  return { status: response.status, body: await response.json() };
}
const checkSchema = (schema: object, text = "5") => check(JSON.stringify({ schema, text }));

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
