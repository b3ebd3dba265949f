import { createServer } from "node:http";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { suggestModels } from "../models/pricing/catalogue";
import {
  chunk,
  type RawServer,
  responseMessage,
  sendJson,
  sendResponse,
  sendStream,
  startRawServer,
} from "../models/testing/raw-server";
import { startServices } from "../start";
import { loadConnections } from "./active";
import { saveConnection } from "./commands";
import { findLocalServers } from "./find-local";
import { testConnection } from "./test-connection";

const member = toTeamViewer(localViewer, { teamId: localTeamId, role: "editor" });
const signal = new AbortController().signal;

let db: Db;
let server: RawServer | undefined;
beforeAll(async () => {
  db = await startServices();
});
beforeEach(async () => {
  await db.connection.deleteMany();
  await loadConnections(db);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Answer = Parameters<typeof startRawServer>[0];

/** Tests a server that answers like this; `isList`: whether the models are asked for. */
async function testServer(
  answer: (response: Parameters<Answer>[0], request: { isList: boolean; body: string }) => void,
) {
  server = await startRawServer((response, body) =>
    answer(response, { isList: server?.requests.at(-1)?.method === "GET", body }),
  );
  const { steps, ...result } = await testConnection(localViewer, "compatible", { baseUrl: `${server.url}/v1` }, signal);
  return { ...result, steps: steps.map(({ type, status, message }) => `${type} ${status}: ${message}`) };
}

const toolCall = { index: 0, id: "c", function: { name: "add_numbers", arguments: '{"a":2,"b":3}' } };

describe("the test of a connection", () => {
  it("asks for the models, a word and a tool call", async () => {
    const result = await testServer((response, { isList, body }) => {
      if (isList) sendJson(response, 200, { data: [{ id: "text-embedding" }, { id: "llama" }] });
      else if (body.includes("add_numbers"))
        sendStream(response, [chunk({ tool_calls: [toolCall] }), chunk({}, "tool_calls")]);
      else sendStream(response, [chunk({ content: "rea" }), chunk({ content: "dy" }), chunk({}, "stop")]);
    });
    expect(result).toEqual({
      ok: true,
      model: "llama",
      models: ["text-embedding", "llama"],
      steps: [
        "models passed: It lists 2 models.",
        "word passed: It streamed “ready”.",
        "tool passed: It called a tool and went on with its result.",
      ],
    });
  });

  it("tells what the server cannot do", async () => {
    const result = await testServer((response, { isList, body }) => {
      if (isList) sendJson(response, 200, { data: [{ id: "old" }] });
      else if (body.includes('"tools"')) sendJson(response, 400, { error: "this model does not support tools" });
      else sendJson(response, 200, { choices: [{ message: { content: "ready" }, finish_reason: "stop" }] });
    });
    expect(result.ok).toBe(true);
    expect(result.steps[1]).toContain("word limited: It answered “ready” in one piece: it does not stream");
    expect(result.steps[2]).toContain("tool limited");
    expect(result.steps[2]).toContain("tools");
  });

  it("fails where agents with tools would: at the call, or at its result", async () => {
    for (const refused of ['"tools"', '"role":"tool"']) {
      const result = await testServer((response, { isList, body }) => {
        if (isList) sendJson(response, 200, { data: [{ id: "llama" }] });
        else if (body.includes(refused)) sendJson(response, 400, { error: { message: "use another way" } });
        else if (body.includes("add_numbers"))
          sendStream(response, [chunk({ tool_calls: [toolCall] }), chunk({}, "tool_calls")]);
        else sendStream(response, [chunk({ content: "ready" }), chunk({}, "stop")]);
      });
      expect(result).toMatchObject({ ok: false, model: "llama" });
      expect(result.steps[2]).toBe("tool failed: Agents with tools fail: use another way");
      await server?.close();
    }
  });

  it("asks the model that new agents get", async () => {
    const [newest = ""] = suggestModels("openai");
    const models = ["gpt-5.4-mini", newest].map((id) => ({ id }));
    server = await startRawServer((response, body) => {
      if (body === "") sendJson(response, 200, { data: models });
      else sendResponse(response, [responseMessage("ready")]);
    });
    const draft = { key: "sk-0123456789-test", baseUrl: `${server.url}/v1` };
    expect(await testConnection(localViewer, "openai", draft, signal)).toMatchObject({ model: newest });
    expect(newest).not.toBe("");
  });

  it("ends at a refused key, a server without a list, and one that is not there", async () => {
    const refused = await testServer((response) => sendJson(response, 401, { error: { message: "Wrong key." } }));
    expect(refused.steps).toEqual([
      "models failed: It refuses the key: Wrong key.",
      "word skipped: Not asked.",
      "tool skipped: Not asked.",
    ]);
    await server?.close();
    const listless = await testServer((response) => sendJson(response, 404, { detail: "Not Found" }));
    expect(listless.steps[0]).toBe("models limited: It has no list of models: Not Found");
    expect(listless.steps[1]).toContain("enter the name of a model");
    const gone = await testConnection(localViewer, "compatible", { baseUrl: "http://127.0.0.1:1/v1" }, signal);
    expect(gone).toMatchObject({ ok: false, model: null });
    expect(gone.steps[0]?.message).toContain("It cannot be reached: connect ECONNREFUSED");
  });

  it("counts as a use of what is saved then, which another key or address loses", async () => {
    const answers: Answer = (response, body) => {
      if (body === "") sendJson(response, 404, {});
      else sendJson(response, 200, { choices: [{ message: { content: "ready" }, finish_reason: "stop" }] });
    };
    server = await startRawServer(answers);
    const setting = { baseUrl: `${server.url}/v1` };
    const { model } = await testConnection(localViewer, "compatible", setting, signal);
    expect(model).toBeNull();
    expect(await saveConnection(localViewer, "compatible", setting)).toMatchObject({ lastUsedAt: null });
    const tested = await testConnection(localViewer, "compatible", { ...setting, model: "unlisted" }, signal);
    expect(tested).toMatchObject({ ok: true, model: "unlisted" });
    const used = { lastUsedAt: expect.any(Number) };
    expect(await saveConnection(localViewer, "compatible", setting)).toMatchObject(used);
    expect(await saveConnection(localViewer, "compatible", { ...setting, key: "other" })).toMatchObject({
      lastUsedAt: null,
    });
  });

  it("ends when it is cancelled", async () => {
    server = await startRawServer(() => undefined);
    const controller = new AbortController();
    const { url } = server;
    setTimeout(() => controller.abort(new Error("gone")), 50);
    await expect(
      testConnection(localViewer, "compatible", { baseUrl: `${url}/v1` }, controller.signal),
    ).rejects.toThrow("gone");
  });

  it("tests what is stored, with its key, and is for administrators", async () => {
    server = await startRawServer((response) => sendJson(response, 404, {}));
    await saveConnection(localViewer, "openai", { key: "sk-0123456789-stored", baseUrl: `${server.url}/v1` });
    await testConnection(localViewer, "openai", {}, signal);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-0123456789-stored");
    await expect(testConnection(member, "openai", {}, signal)).rejects.toThrow("the role Admin in the team");
    await expect(testConnection(localViewer, "demo", {}, signal)).rejects.toThrow("no provider");
    const elsewhere = testConnection(localViewer, "openai", { baseUrl: "http://127.0.0.1:1/v1" }, signal);
    await expect(elsewhere).rejects.toThrow("Enter it again");
  });
});

describe("finding local servers", () => {
  it("asks the usual ports of this machine, and names what answers", async () => {
    const paths: string[] = [];
    const ollama = createServer((request, response) => {
      paths.push(`${request.method} ${request.url}`);
      response.end(JSON.stringify({ data: [{ id: "qwen3:8b", owned_by: "library" }] }));
    });
    await new Promise<void>((resolve, reject) => ollama.on("error", reject).listen(11434, "127.0.0.1", resolve));
    try {
      const found = await findLocalServers(localViewer, signal);
      expect(found).toContainEqual({
        name: "Ollama",
        port: 11434,
        baseUrl: "http://127.0.0.1:11434/v1",
        models: ["qwen3:8b"],
      });
      expect(paths).toEqual(["GET /v1/models"]);
    } finally {
      ollama.closeAllConnections();
      ollama.close();
    }
    await expect(findLocalServers(member, signal)).rejects.toThrow("the role Admin in the team");
  });
});
