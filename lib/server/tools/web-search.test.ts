import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Env } from "../env";
import { type RawServer, sendJson, startRawServer } from "../models/testing/raw-server";
import { createWebSearch } from "./web-search";

const servers: RawServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(answer: (response: ServerResponse) => void): Promise<RawServer> {
  const server = await startRawServer(answer);
  servers.push(server);
  return server;
}

const search = async (env: Partial<Env>, given: object, signal = new AbortController().signal) => {
  const tool = createWebSearch(() => env);
  return tool.execute(tool.input.parse(given), { signal, now: Date.now, idempotencyKey: "run:path" });
};

const key = "secret-key-7";
const bees = { title: "Bees", url: "https://bees.test/", snippet: "They dance." };

describe("web_search", () => {
  it("asks Tavily", async () => {
    const results = [{ title: "Bees", url: bees.url, content: " They\n dance. ", score: 0.9 }];
    const server = await serve((response) => sendJson(response, 200, { query: "bees", results }));
    const env = { TAVILY_API_KEY: key, TAVILY_BASE_URL: `${server.url}/` };
    expect(await search(env, { query: " bees ", max_results: 3 })).toEqual([bees]);
    expect(server.requests[0]).toMatchObject({ method: "POST", url: "/search" });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    });
    expect(JSON.parse(server.bodies[0] ?? "")).toEqual({ query: "bees", max_results: 3 });
  });

  it("asks Brave", async () => {
    const web = { results: [{ title: "Bees", url: bees.url, description: "They dance." }] };
    const server = await serve((response) => sendJson(response, 200, { type: "search", web }));
    const env = { BRAVE_API_KEY: key, BRAVE_BASE_URL: server.url };
    expect(await search(env, { query: "bees & co" })).toEqual([bees]);
    const [request] = server.requests;
    expect(request?.method).toBe("GET");
    expect(request?.url).toBe("/res/v1/web/search?q=bees+%26+co&count=5&text_decorations=false");
    expect(request?.headers).toMatchObject({ "x-subscription-token": key, accept: "application/json" });
  });

  it("answers with nothing when Brave found nothing", async () => {
    const server = await serve((response) => sendJson(response, 200, { type: "search" }));
    expect(await search({ BRAVE_API_KEY: key, BRAVE_BASE_URL: server.url }, { query: "bees" })).toEqual([]);
  });

  it("asks SearXNG, and cuts the results itself", async () => {
    const results = [1, 2, 3].map((nth) => ({ title: `T${nth}`, url: `https://${nth}.test/`, content: `C${nth}` }));
    const server = await serve((response) => sendJson(response, 200, { results }));
    expect(await search({ SEARXNG_URL: `${server.url}/sub` }, { query: "bees", max_results: 2 })).toEqual([
      { title: "T1", url: "https://1.test/", snippet: "C1" },
      { title: "T2", url: "https://2.test/", snippet: "C2" },
    ]);
    expect(server.requests[0]?.url).toBe("/sub/search?q=bees&format=json");
  });

  it("leaves out what is no result", async () => {
    const results = [null, 3, { title: "no url" }, { url: "javascript:alert(1)" }, { url: bees.url, content: 7 }];
    const server = await serve((response) => sendJson(response, 200, { results }));
    expect(await search({ SEARXNG_URL: server.url }, { query: "bees" })).toEqual([
      { title: bees.url, url: bees.url, snippet: "" },
    ]);
  });

  it("takes the first service that is set up, or the chosen one", async () => {
    const brave = await serve((response) =>
      sendJson(response, 200, { web: { results: [{ ...bees, title: "Brave" }] } }),
    );
    const searxng = await serve((response) => sendJson(response, 200, { results: [{ ...bees, title: "SearXNG" }] }));
    const env = { BRAVE_API_KEY: key, BRAVE_BASE_URL: brave.url, SEARXNG_URL: searxng.url };
    expect(await search(env, { query: "bees" })).toMatchObject([{ title: "Brave" }]);
    expect(await search({ ...env, SWARMLOOM_SEARCH: "searxng" }, { query: "bees" })).toMatchObject([
      { title: "SearXNG" },
    ]);
  });

  it("names the variables to set when it is off", async () => {
    await expect(search({}, { query: "bees" })).rejects.toThrow(
      "setting TAVILY_API_KEY or BRAVE_API_KEY or SEARXNG_URL",
    );
    const chosen = search({ SWARMLOOM_SEARCH: "brave", TAVILY_API_KEY: key }, { query: "bees" });
    await expect(chosen).rejects.toThrow(/by setting BRAVE_API_KEY$/);
  });

  it.each<[number, string, string]>([
    [401, `{"detail": {"error": "Unauthorized: ${key}"}}`, "Tavily answered 401"],
    [422, `{"error": {"detail": "the key ${key} is bad"}, "message": "bad ${key}"}`, "the key [key] is bad"],
    [403, "<html>no</html>", "Tavily answered 403: this is not allowed"],
    [429, "", "Tavily answered 429: there were too many searches"],
    [500, "", "it gave no reason"],
    [200, "<html>welcome</html>", "no JSON; is TAVILY_BASE_URL right?"],
    [200, "[]", "no JSON"],
    [200, `"${"x".repeat(3_000_000)}"`, "more than 2000000 bytes"],
  ])("describes a %d in plain words, without the key", async (status, body, message) => {
    const server = await serve((response) => response.writeHead(status).end(body));
    const asked = search({ TAVILY_API_KEY: key, TAVILY_BASE_URL: server.url }, { query: "bees" });
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.not.toThrow(key);
  });

  it("takes the key to no other address", async () => {
    const other = await serve((response) => sendJson(response, 200, { web: { results: [bees] } }));
    const server = await serve((response) => response.writeHead(302, { location: other.url }).end());
    const asked = search({ BRAVE_API_KEY: key, BRAVE_BASE_URL: server.url }, { query: "bees" });
    await expect(asked).rejects.toThrow("Brave sends to another address; set BRAVE_BASE_URL");
    expect(other.requests).toHaveLength(0);
  });

  it.each([
    ["not a url", "SEARXNG_URL must be a URL"],
    ["file:///etc", "SEARXNG_URL must be a URL"],
    ["http://127.0.0.1:9", "SearXNG"],
    ["http://me:hush@127.0.0.1:9", "//127.0.0.1:9"],
  ])("of %s fails in words", async (url, message) => {
    const asked = search({ SEARXNG_URL: url }, { query: "bees" });
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.not.toThrow("hush");
  });

  it("ends when the run is cancelled", async () => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort(new Error("cancelled by a test")));
    const asked = search({ SEARXNG_URL: server.url }, { query: "bees" }, controller.signal);
    await expect(asked).rejects.toThrow("cancelled by a test");
  });

  it.each([
    {},
    { query: " " },
    { query: "a", max_results: 0 },
    { query: "a", max_results: 11 },
    { query: "a", max_results: 1.5 },
  ])("refuses the arguments %j", (given) => {
    expect(createWebSearch(() => ({})).input.safeParse(given).success).toBe(false);
  });
});
