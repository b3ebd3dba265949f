import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { createdSchema, fetchJson, fetchText, messageOf, RequestError, toRequestError } from "./fetch-json";

afterEach(() => vi.unstubAllGlobals());

const answer = (body: string, status = 200) => vi.stubGlobal("fetch", async () => new Response(body, { status }));

describe("fetchJson", () => {
  test("sends JSON by POST and answers with JSON", async () => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response('{"id":"1"}'));
    vi.stubGlobal("fetch", fetch);
    expect(await fetchJson("/x", createdSchema, { json: { a: 1 } })).toEqual({ id: "1" });
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({
      method: "POST",
      body: '{"a":1}',
      headers: { "content-type": "application/json" },
    });
  });

  test("keeps the method that was asked for", async () => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response(""));
    vi.stubGlobal("fetch", fetch);
    expect(await fetchText("/x", { json: {}, method: "PUT" })).toBe("");
    expect(fetch.mock.calls[0]?.[1].method).toBe("PUT");
  });

  test.each(["", "<html>", "null", "[]", '{"id":1}', '{"name":"n"}'])(
    "an answer of another format is an error and not a value: %s",
    async (text) => {
      answer(text);
      await expect(fetchJson("/x", createdSchema)).rejects.toMatchObject({
        name: "RequestError",
        code: "unexpected_answer",
        message: expect.stringContaining("reload the page"),
      });
    },
  );

  test("an answer of a newer version keeps only the known fields", async () => {
    answer('{"id":"1","added":true}');
    expect(await fetchJson("/x", z.object({ id: z.string() }))).toEqual({ id: "1" });
  });

  test("throws the API's error with its details", async () => {
    answer('{"error":{"code":"conflict","message":"Changed elsewhere.","details":{"revision":"r"}}}', 409);
    await expect(fetchJson("/x", createdSchema)).rejects.toMatchObject({
      code: "conflict",
      message: "Changed elsewhere.",
      status: 409,
      details: { revision: "r" },
    });
  });

  test("reports a network error, and rethrows an abort", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("failed to fetch")));
    await expect(fetchJson("/x", createdSchema)).rejects.toMatchObject({ code: "network", status: 0 });
    const abort = new DOMException("stop", "AbortError");
    vi.stubGlobal("fetch", async () => Promise.reject(abort));
    await expect(fetchJson("/x", createdSchema)).rejects.toBe(abort);
  });
});

test.each(["", "<html>", "null", "{}", '{"error":"x"}', '{"error":{"code":1,"message":"m"}}'])(
  "an answer that is not ours is named by its status: %s",
  (text) => {
    const error = toRequestError(502, text);
    expect(error).toMatchObject({ code: "internal", status: 502 });
    expect(error.message).toContain("502");
  },
);

test("messageOf", () => {
  expect(messageOf(new RequestError("x", "why", 400))).toBe("why");
  expect(messageOf("odd")).toContain("Try again");
});
