import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as env from "../env";
import { answerAtGate } from "./gate";

const origin = "http://127.0.0.1:3000";
const token = "a-token-of-enough-characters";
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  answerAtGate(new Request(origin + path, { method, headers: { host: "127.0.0.1:3000", ...headers } }));
afterEach(() => vi.restoreAllMocks());

test.each(["/", "/runs/x?view=tree", "/flows/50%25", "/api/v1/runs", "/apiary", "/?token=whatever"])(
  "%s passes",
  (path) => {
    expect(ask(path)).toBeNull();
  },
);

test.each(["/%", "/runs/%zz", "/flows/%c0%80", "/runs/%E4"])(
  "the page %s, which cannot be decoded, is a 400 page",
  async (path) => {
    const answer = ask(path);
    expect(answer?.status).toBe(400);
    expect(answer?.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await answer?.text()).toContain("Write % itself as %25");
  },
);

test("an address of the API that cannot be decoded is a 400 in the form of the API", async () => {
  const answer = ask("/api/v1/runs/%");
  expect([answer?.status, await answer?.json()]).toMatchObject([400, { error: { code: "bad_request" } }]);
});

test("a foreign Host gets a 403 page with instructions, without markup of the request", async () => {
  const answer = ask("/", { host: "<b>evil.example" });
  expect(answer?.status).toBe(403);
  const page = await answer?.text();
  expect(page).toContain("Open http://127.0.0.1 instead");
  expect(page).not.toContain("<b>");
});

test("signed requests pass to webhooks from wherever they come, and to nothing else", () => {
  const foreign = { host: "hooks.example", "x-forwarded-for": "203.0.113.7" };
  expect(ask("/api/hooks/abc", foreign, "POST")).toBeNull();
  for (const path of ["/api/hooks", "/api/hooks/abc/more", "/api/v1/webhooks", "/api/hooks/../v1/runs"])
    expect([path, ask(path, foreign, "POST")?.status]).toEqual([path, 403]);
});

test("pages are read, nothing else", () => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"]) {
    const answer = ask("/settings", {}, method);
    expect([method, answer?.status, answer?.headers.get("allow")]).toEqual([method, 405, "GET, HEAD"]);
  }
  expect(ask("/api/v1/runs", {}, "POST")).toBeNull();
});

describe("where a token is set", () => {
  beforeEach(() => {
    const usual = env.getEnv();
    vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, SWARMLOOM_TOKEN: token });
  });

  test("a page without it is a 401 page, an API call a 401 that names Bearer", async () => {
    const page = ask("/runs");
    expect([page?.status, page?.headers.get("content-type")]).toEqual([401, "text/html; charset=utf-8"]);
    expect(await page?.text()).toContain("This server expects its token");
    const call = ask("/api/v1/runs");
    expect([call?.status, call?.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await call?.json()).toMatchObject({
      error: { code: "unauthorized", message: expect.stringContaining("Bearer") },
    });
  });

  test("the printed address sets the cookie and leads to the address without the token", () => {
    const answer = ask(`/runs?status=FAILED&token=${token}`);
    expect(answer?.status).toBe(303);
    expect(answer?.headers.get("location")).toBe("/runs?status=FAILED");
    expect(ask(`//evil.example/?token=${token}`)?.headers.get("location")).toBe("/evil.example/");
    expect(answer?.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer?.headers.get("cache-control")).toBe("no-store");
    const [cookie = ""] = (answer?.headers.get("set-cookie") ?? "").split(";");
    expect([...(answer?.headers.values() ?? [])].join()).not.toContain(token);
    expect(ask("/runs?status=FAILED", { cookie })).toBeNull();
    expect(ask("/api/v1/runs", { cookie })).toBeNull();
  });

  test("a wrong token in the address is a 401 page and sets no cookie", async () => {
    const answer = ask(`/?token=${token}x`);
    expect([answer?.status, answer?.headers.get("set-cookie")]).toEqual([401, null]);
    const page = await answer?.text();
    expect(page).toContain("printed when the server was started last");
    expect(page).not.toContain(token);
  });

  test("the API takes no token from an address, where logs would keep it", () => {
    expect(ask(`/api/v1/runs?token=${token}`)?.status).toBe(401);
  });

  test("a foreign page cannot sign a browser in", () => {
    expect(ask(`/?token=${token}`, { host: "evil.example" })?.status).toBe(403);
    expect(ask(`/?token=${token}`, { "x-forwarded-for": "203.0.113.9" })?.status).toBe(403);
  });
});

test("an API key passes to the API, which looks it up, and opens neither pages nor a way in from elsewhere", () => {
  const usual = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, SWARMLOOM_TOKEN: token });
  const authorization = `Bearer swl_${"x".repeat(43)}`;
  expect(ask("/api/v1/runs", { authorization })).toBeNull();
  expect(ask("/runs", { authorization })?.status).toBe(401);
  expect(ask("/api/v1/runs", { authorization, host: "evil.example" })?.status).toBe(403);
  expect(ask("/api/v1/runs", { authorization, "x-forwarded-for": "203.0.113.9" })?.status).toBe(403);
});
