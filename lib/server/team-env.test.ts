import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toTeamViewer } from "./auth/viewer";
import { completeSetting } from "./connections/commands";
import { findLocalServers } from "./connections/find-local";
import * as env from "./env";
import { currentOffer, findModels } from "./offer";
import { findTeamWorld } from "./run-world";
import { startServices } from "./start";
import { getTeamEnv } from "./team-env";
import { listTools } from "./tools/registry";
import { saveTraceExport } from "./trace-export/commands";
import { postSpans } from "./trace-export/post-spans";

const secrets = {
  OPENAI_API_KEY: "sk-of-the-operator",
  TAVILY_API_KEY: "tvly-of-the-operator",
  COMPATIBLE_BASE_URL: "http://127.0.0.1:11434/v1",
  SWARMLOOM_WORKSPACE: "/srv/files",
};
const setEnv = (variables: Partial<env.Env>): void => {
  const usual = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, ...variables });
};
beforeEach(() => setEnv(secrets));
afterEach(() => vi.restoreAllMocks());

const owner = toTeamViewer({ id: "o", name: "Olga" }, { teamId: "other", role: "owner" });

test("the keys, addresses and files of the environment are the first team's alone", () => {
  expect(getTeamEnv("local")).toEqual(env.getEnv());
  expect(getTeamEnv("other")).toBe(getTeamEnv("other"));
  expect(JSON.stringify(getTeamEnv("other"))).not.toMatch(/of-the-operator|11434|srv/);
  expect(findModels("local").find("openai:gpt-5")).not.toBeNull();
  for (const model of ["openai:gpt-5", "compatible:llama"]) expect(findModels("other").find(model)).toBeNull();
  expect(findModels("other").find("demo:a")).not.toBeNull();
  const offered = currentOffer("other").providers?.find(({ id }) => id === "openai");
  expect(offered?.missing).toBeTruthy();
});

test("nor do runs of another team reach files or searches with them", async () => {
  expect(findTeamWorld("other").workspace).toBeUndefined();
  expect(findTeamWorld("local").workspace).toBe("/srv/files");
  const lacking = listTools(getTeamEnv("other")).filter(({ available }) => !available);
  expect(lacking.map(({ name }) => name)).toEqual(expect.arrayContaining(["web_search", "file_read", "file_write"]));
  expect(currentOffer("other").unavailableTools).toEqual(
    expect.arrayContaining([
      { name: "web_search", missing: "SWARMLOOM_SHARE_ENVIRONMENT=1" },
      { name: "file_read", missing: "SWARMLOOM_TEAM_WORKSPACES" },
    ]),
  );
  expect(currentOffer("local").unavailableTools).toEqual([]);
  setEnv({ ...secrets, TAVILY_API_KEY: undefined, SWARMLOOM_SEARCH: "tavily" });
  expect(currentOffer("local").unavailableTools).toEqual([{ name: "web_search", missing: "TAVILY_API_KEY" }]);
  expect(currentOffer("other").unavailableTools).toContainEqual({
    name: "web_search",
    missing: "TAVILY_API_KEY and SWARMLOOM_SHARE_ENVIRONMENT=1",
  });
  const search = findTeamWorld("other").tools?.find("web_search");
  const context = { signal: new AbortController().signal, idempotencyKey: "k", now: Date.now };
  await expect(search?.execute({ query: "x", max_results: 1 }, context)).rejects.toThrow(/web search is off/);
});

test("each team has a folder of its own where the operator names one for all of them", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-teams-"));
  const own = (teamId: string) => findTeamWorld(teamId).workspace;
  setEnv({ ...secrets, SWARMLOOM_TEAM_WORKSPACES: folder });
  expect([own("local"), own("other"), own("third")]).toEqual([
    "/srv/files",
    path.join(folder, "other"),
    path.join(folder, "third"),
  ]);
  setEnv({ SWARMLOOM_WORKSPACE: undefined, SWARMLOOM_TEAM_WORKSPACES: folder, SWARMLOOM_SHARE_ENVIRONMENT: "1" });
  expect([own("local"), own("other")]).toEqual([path.join(folder, "local"), path.join(folder, "other")]);
  expect(readdirSync(folder).toSorted()).toEqual(["local", "other", "third"]);
  for (const teamId of ["..", "a/b", ""]) expect(() => own(teamId)).toThrow("expected the id of a team");
  const tools = listTools(getTeamEnv("other")).filter(({ available }) => available);
  expect(tools.map(({ name }) => name)).toContain("file_write");
  rmSync(folder, { recursive: true });
});

test("an operator can share them", () => {
  setEnv({ ...secrets, SWARMLOOM_SHARE_ENVIRONMENT: "1" });
  expect(findModels("other").find("openai:gpt-5")).not.toBeNull();
  expect(findTeamWorld("other").workspace).toBe("/srv/files");
});

test("connections of other teams lead to public addresses alone", async () => {
  const set = (teamId: string, baseUrl: string) => completeSetting(teamId, "compatible", { key: "", baseUrl });
  await expect(set("local", "http://127.0.0.1:11434/v1")).resolves.toMatchObject({ reach: "networks" });
  await expect(set("other", "https://1.1.1.1/v1")).resolves.toMatchObject({ reach: "internet" });
  for (const url of [
    "http://127.0.0.1:1/v1",
    "http://localhost:1/v1",
    "http://10.0.0.1/v1",
    "http://[::1]:1/v1",
    "http://a.localhost/",
  ])
    await expect(set("other", url)).rejects.toMatchObject({ code: "bad_request" });
  await expect(findLocalServers(owner, new AbortController().signal)).rejects.toMatchObject({ code: "forbidden" });
});

test("variables of the environment go out in headers of the first team's traces alone", async () => {
  await startServices();
  vi.stubEnv("SWARMLOOM_OTLP_KEY", "otlp-of-the-operator");
  const setting = {
    endpoint: "https://collector.example/v1/traces",
    headers: { authorization: "SWARMLOOM_OTLP_KEY" },
    content: false,
    enabled: true,
  };
  await expect(saveTraceExport(owner, setting)).rejects.toMatchObject({ code: "bad_request" });
  // Stored by whatever way, it is not sent.
  const posted = await postSpans({ ...setting, teamId: "other", endpoint: "http://127.0.0.1:9/v1/traces" }, []);
  expect(posted).toMatchObject({ ok: false, problem: expect.stringMatching(/public/) });
  await globalThis.swarmloomServices?.endRuns();
});
