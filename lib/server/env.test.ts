import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "swarmloom-env-")));
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** The environment as a fresh process reads it. */
async function read(variables: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return (await import("./env")).getEnv();
}

describe("the limits of runs, and the proxies", () => {
  it("are a day of work, 250,000 steps and no proxy but this machine where nothing is set", async () => {
    const env = await read({ SWARMLOOM_MAX_WORK_SECONDS: "", SWARMLOOM_TRUSTED_PROXIES: "" });
    expect([env.SWARMLOOM_MAX_WORK_SECONDS, env.SWARMLOOM_TRUSTED_PROXIES]).toEqual([86_400, []]);
    expect((await import("@/lib/core/run/ports/run-context")).defaultMaxSteps).toBe(250_000);
  });

  it("are read", async () => {
    const env = await read({ SWARMLOOM_MAX_WORK_SECONDS: "60", SWARMLOOM_TRUSTED_PROXIES: "10.0.0.0/8, fd00::1" });
    expect(env.SWARMLOOM_MAX_WORK_SECONDS).toBe(60);
    expect(env.SWARMLOOM_TRUSTED_PROXIES).toEqual(["10.0.0.0/8", "fd00::1/128"]);
  });

  it("name what is no network", async () => {
    await expect(read({ SWARMLOOM_TRUSTED_PROXIES: "everyone" })).rejects.toThrow(/SWARMLOOM_TRUSTED_PROXIES/);
  });
});

describe("the environment of the tools", () => {
  it("needs nothing", async () => {
    const env = await read({ SWARMLOOM_WORKSPACE: " ", SWARMLOOM_HTTP_ALLOW: "", SWARMLOOM_SEARCH: "" });
    expect(env).toMatchObject({ SWARMLOOM_HTTP_ALLOW: [], SWARMLOOM_TRACE_ALLOW: [] });
    expect([env.SWARMLOOM_WORKSPACE, env.SWARMLOOM_SEARCH]).toEqual([undefined, undefined]);
  });

  it("makes the workspace absolute, and reads the allow list", async () => {
    const relative = path.relative(process.cwd(), folder);
    const env = await read({ SWARMLOOM_WORKSPACE: relative, SWARMLOOM_HTTP_ALLOW: "localhost:8080, 10.0.0.5" });
    expect(env.SWARMLOOM_WORKSPACE).toBe(folder);
    expect(env.SWARMLOOM_HTTP_ALLOW).toEqual([{ host: "localhost", port: 8080 }, { host: "10.0.0.5" }]);
  });

  it("reads which tools wait for a person in every flow", async () => {
    expect((await read({ SWARMLOOM_APPROVE: "" })).SWARMLOOM_APPROVE).toEqual(new Set());
    vi.resetModules();
    const env = await read({ SWARMLOOM_APPROVE: "http_request, file_write,ask_human spawn_agent," });
    expect(env.SWARMLOOM_APPROVE).toEqual(new Set(["http_request", "file_write", "ask_human", "spawn_agent"]));
  });

  it("names the variable that cannot be used", async () => {
    writeFileSync(path.join(folder, "file"), "");
    const wrong: [string, string, string][] = [
      ["SWARMLOOM_WORKSPACE", path.join(folder, "gone"), "expected a folder that exists"],
      ["SWARMLOOM_WORKSPACE", path.join(folder, "file"), "expected a folder that exists"],
      ["SWARMLOOM_HTTP_ALLOW", "http://localhost", 'found "http://localhost"'],
      ["SWARMLOOM_HTTP_ALLOW", "localhost", "expected a port with an address of this machine"],
      ["SWARMLOOM_TRACE_ALLOW", "10.0.0.5, [::1]", 'such as localhost:8080, found "[::1]"'],
      ["SWARMLOOM_SEARCH", "google", "cannot be used"],
      ["SWARMLOOM_APPROVE", "file_write, http_requests", 'found "http_requests"; did you mean "http_request"?'],
      ["SWARMLOOM_APPROVE", "everything", "there are: calculator,"],
      ["SWARMLOOM_MAX_COST", "0", "cannot be used"],
      ["SWARMLOOM_MAX_COST", "five", "cannot be used"],
      ["SWARMLOOM_MAX_TOKENS", "1.5", "cannot be used"],
      ["SWARMLOOM_MAX_SECONDS", "-1", "cannot be used"],
      ["SWARMLOOM_RUN_CONCURRENCY", "0", "cannot be used"],
    ];
    for (const [name, value, message] of wrong) {
      vi.resetModules();
      await expect(read({ [name]: value })).rejects.toThrow(`The environment variable ${name} cannot be used`);
      vi.resetModules();
      await expect(read({ [name]: value })).rejects.toThrow(message);
      vi.unstubAllEnvs();
    }
  });

  it("knows the port that the server listens on, also where any was asked for", async () => {
    vi.stubEnv("PORT", "0");
    const { getEnv, getOwnPort } = await import("./env");
    expect(getEnv().PORT).toBe(0);
    vi.stubEnv("PORT", "4321");
    expect(getOwnPort()).toBe(4321);
    vi.stubEnv("PORT", undefined);
    vi.resetModules();
    expect((await import("./env")).getOwnPort()).toBe(3000);
  });

  it("gives every run the ceilings of the server, and 16 calls at a time", async () => {
    await read({ SWARMLOOM_MAX_COST: "", SWARMLOOM_RUN_CONCURRENCY: "16" });
    expect((await import("./run-world")).runWorld).toMatchObject({ ceilings: {}, concurrentCalls: 16 });
    vi.resetModules();
    await read({ SWARMLOOM_MAX_COST: "0.5", SWARMLOOM_MAX_TOKENS: "20", SWARMLOOM_MAX_SECONDS: "60" });
    const { runWorld } = await import("./run-world");
    expect(runWorld.ceilings).toEqual({ max_cost: 0.5, max_tokens: 20, max_seconds: 60 });
    const { flow } = readSource('agents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n');
    let state = emptyRunState;
    for await (const event of runFlow(flow, "Q", { ...runWorld, signal: new AbortController().signal }))
      state = foldEvents(state, [event]);
    expect(state).toMatchObject({ status: "FAILED", error: { code: "limit" } });
  });

  it("gives the workspace to the tools of a run", async () => {
    writeFileSync(path.join(folder, "bees.txt"), "Bees dance in the dark.");
    await read({ SWARMLOOM_WORKSPACE: folder });
    const { runWorld } = await import("./run-world");
    const { flow } = readSource(
      'agents:\n  a: { model: "demo:reader", tools: [file_read] }\nswarm:\n  type: workflow\n  flow: a\n',
    );
    const input = 'demo: call file_read {"path": "bees.txt"}';
    let state = emptyRunState;
    for await (const event of runFlow(flow, input, { ...runWorld, signal: new AbortController().signal }))
      state = foldEvents(state, [event]);
    const call = state.nodes.find((node) => node.kind === "tool_call");
    expect(call?.output.text).toBe("bees.txt: lines 1 to 1 of 1\nBees dance in the dark.");
  });
});

describe("the database", () => {
  async function locate(url: string) {
    vi.stubEnv("DATABASE_URL", url);
    vi.resetModules();
    const env = await import("./env");
    return { location: env.getDatabaseLocation(), keys: env.listEnvironmentKeys(), file: () => env.getDatabaseFile() };
  }

  it("is a file, or on a PostgreSQL server", async () => {
    const file = path.join(folder, "a/b.db");
    expect((await locate(`file:${file}`)).location).toEqual({ type: "sqlite", file });
    for (const url of ["postgres://h/db", "postgresql://me:hidden%2Fword@h:5433/db?sslmode=require"])
      expect((await locate(url)).location).toEqual({ type: "postgresql", url });
  });

  it("has a password that counts as a key, as it is and as the address has it", async () => {
    const { keys, file } = await locate("postgresql://me:hidden%2Fword@h/db");
    expect(keys).toEqual(expect.arrayContaining(["hidden%2Fword", "hidden/word"]));
    expect(file).toThrow(/needs the file of SQLite/);
  });

  it("cannot be anything else, and the refusal quotes no address", async () => {
    for (const url of ["mysql://me:hidden-word@h/db", "postgresql://me:hidden-word@h:port/db", "me:hidden-word@h"]) {
      const error: unknown = await locate(url).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: "EnvironmentError" });
      expect(String(error)).not.toContain("hidden-word");
    }
  });
});
