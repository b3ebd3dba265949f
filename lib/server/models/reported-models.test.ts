import { afterEach, describe, expect, it } from "vitest";
import { listModelServers } from "./model-port";
import { ModelLists } from "./reported-models";
import { type RawServer, sendJson, startRawServer } from "./testing/raw-server";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const connect = (url: string) => listModelServers({ COMPATIBLE_BASE_URL: `${url}/v1` });
const hostOf = (url: string): string => new URL(url).host;

describe("listModelServers", () => {
  it("has the servers at other addresses than their providers', when they can be asked", () => {
    expect(listModelServers({})).toEqual([]);
    expect(listModelServers({ OPENAI_API_KEY: "sk-x" })).toEqual([]);
    expect(listModelServers({ OPENAI_BASE_URL: "http://gateway/v1" })).toEqual([]);
    const both = listModelServers({
      OPENAI_API_KEY: "sk-x",
      OPENAI_BASE_URL: "http://gateway:4000/v1",
      COMPATIBLE_BASE_URL: "http://127.0.0.1:11434/v1",
    });
    expect(both.map(({ id, host }) => `${id} ${host}`)).toEqual(["openai gateway:4000", "compatible 127.0.0.1:11434"]);
  });
});

describe("ModelLists", () => {
  it("asks a server once a minute, however many ask for its models", async () => {
    server = await startRawServer((response) =>
      sendJson(response, 200, { data: [{ id: "llama3.2" }, { id: "qwen3" }] }),
    );
    let now = 0;
    const lists = new ModelLists(connect(server.url), () => now);
    const expected = [{ provider: "compatible", host: hostOf(server.url), models: ["llama3.2", "qwen3"] }];
    expect(await Promise.all([lists.read(), lists.read()])).toEqual([expected, expected]);
    now = 59_000;
    await lists.read();
    expect(server.requests.map(({ url }) => url)).toEqual(["/v1/models"]);
    now = 61_000;
    await lists.read();
    expect(server.requests).toHaveLength(2);
  });

  it("leaves out a server that refuses or does not answer, and asks it again sooner", async () => {
    let isReady = false;
    server = await startRawServer((response) =>
      isReady ? sendJson(response, 200, { data: [{ id: "late" }] }) : sendJson(response, 500, { error: "loading" }),
    );
    let now = 0;
    const lists = new ModelLists(connect(server.url), () => now);
    expect(await lists.read()).toEqual([]);
    isReady = true;
    expect(await lists.read()).toEqual([]);
    now = 11_000;
    expect((await lists.read()).map(({ models }) => models)).toEqual([["late"]]);
    expect(await new ModelLists(connect("http://127.0.0.1:1")).read()).toEqual([]);
  });

  it("waits for a silent server no longer than its time", async () => {
    server = await startRawServer(() => {});
    const lists = new ModelLists(connect(server.url));
    const startedAt = performance.now();
    expect(await lists.read()).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(6000);
  }, 10_000);
});
