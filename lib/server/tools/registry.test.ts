import { describe, expect, it } from "vitest";
import type { Tool } from "@/lib/core/run/ports/tool";
import { listTools, toolPort, toolSpecs } from "./registry";

const context = {
  signal: new AbortController().signal,
  now: () => Date.UTC(2026, 6, 1, 22, 30, 5),
  idempotencyKey: "run:path",
};

const find = (name: string): Tool => {
  const tool = toolPort.find(name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};
const run = async (name: string, given: unknown) => {
  const tool = find(name);
  return tool.execute(tool.input.parse(given), context);
};

describe("the tool registry", () => {
  it("offers its tools under their own names, with a description and a closed schema", () => {
    expect(toolSpecs.map((spec) => spec.name)).toEqual([
      "calculator",
      "current_time",
      "read_page",
      "http_request",
      "web_search",
      "file_read",
      "file_write",
      "apply_patch",
      "get_diffs",
      "dependency_graph",
      "ask_human",
    ]);
    for (const spec of toolSpecs) {
      if (spec.name !== "ask_human") expect(find(spec.name).spec).toBe(spec);
      expect(spec.description.length).toBeGreaterThan(20);
      expect(spec.parameters).toMatchObject({ type: "object", additionalProperties: false });
      expect(spec.parameters).not.toHaveProperty("$schema");
    }
  });

  it("lists what each tool lacks", () => {
    const missing = (env: Parameters<typeof listTools>[0]) =>
      Object.fromEntries(listTools(env).flatMap((tool) => (tool.available ? [] : [[tool.name, tool.missing]])));
    const files = ["file_read", "file_write", "apply_patch", "get_diffs", "dependency_graph"];
    const noWorkspace = Object.fromEntries(files.map((name) => [name, "SWARMLOOM_WORKSPACE"]));
    expect(missing({})).toEqual({ web_search: "TAVILY_API_KEY or BRAVE_API_KEY or SEARXNG_URL", ...noWorkspace });
    expect(missing({ SWARMLOOM_SEARCH: "brave", SEARXNG_URL: "http://s.test" })).toEqual({
      web_search: "BRAVE_API_KEY",
      ...noWorkspace,
    });
    expect(missing({ SEARXNG_URL: "http://s.test", SWARMLOOM_WORKSPACE: "/w" })).toEqual({});
    expect(listTools().map(({ name, description }) => ({ name, description }))).toEqual(
      toolSpecs.map(({ name, description }) => ({ name, description })),
    );
  });

  it.each([
    ["web_search", { query: "bees" }, "by setting TAVILY_API_KEY or"],
    ["file_read", { path: "a" }, "setting SWARMLOOM_WORKSPACE to a folder"],
    ["file_write", { path: "a", content: "" }, "setting SWARMLOOM_WORKSPACE to a folder"],
    ["apply_patch", { patch: "x" }, "setting SWARMLOOM_WORKSPACE to a folder"],
    ["get_diffs", {}, "setting SWARMLOOM_WORKSPACE to a folder"],
    ["dependency_graph", {}, "setting SWARMLOOM_WORKSPACE to a folder"],
    ["http_request", { url: "http://localhost/" }, "SWARMLOOM_HTTP_ALLOW"],
  ])("%s that is off names the setting that it needs", async (name, given, message) => {
    await expect(run(name, given)).rejects.toThrow(message);
  });

  it.each(["", "__proto__", "constructor", "toString", "Calculator"])("knows no tool %j", (name) => {
    expect(toolPort.find(name)).toBeNull();
  });

  it.each([
    ["calculator", {}],
    ["calculator", { expression: 3 }],
    ["calculator", { expression: "1", extra: 1 }],
    ["calculator", { expression: "1".repeat(10_000) }],
    ["read_page", null],
    ["read_page", { page: [] }],
    ["current_time", { time_zone: 1 }],
    ["http_request", { url: "http://a.test", method: "CONNECT" }],
    ["file_read", { path: "a", from_line: 0 }],
    ["file_write", { path: "a" }],
    ["get_diffs", { path: "a" }],
    ["dependency_graph", { max_files: 5000 }],
  ])("%s refuses the arguments %j", (name, given) => {
    expect(find(name).input.safeParse(given).success).toBe(false);
  });
});

describe("calculator", () => {
  it("answers the sum with its value", async () => {
    expect(await run("calculator", { expression: " 0.1 + 0.2 " })).toBe("0.1 + 0.2 = 0.3");
    expect(await run("calculator", { expression: "2^60" })).toBe("2^60 = 1152921504606850000");
  });

  it("throws what was wrong", async () => {
    await expect(run("calculator", { expression: "1/0" })).rejects.toThrow("division by zero");
  });
});

describe("current_time", () => {
  it.each([
    [undefined, "Wednesday, 2026-07-01 22:30:05 +00:00 (UTC)"],
    ["Europe/Berlin", "Thursday, 2026-07-02 00:30:05 +02:00 (Europe/Berlin)"],
    ["America/New_York", "Wednesday, 2026-07-01 18:30:05 -04:00 (America/New_York)"],
    ["Asia/Kolkata", "Thursday, 2026-07-02 04:00:05 +05:30 (Asia/Kolkata)"],
  ])("in %s", async (zone, expected) => {
    expect(await run("current_time", zone === undefined ? {} : { time_zone: zone })).toBe(expected);
  });

  it.each(["Mars/Base", "", "../etc", "__proto__"])("refuses the zone %j", async (zone) => {
    await expect(run("current_time", { time_zone: zone })).rejects.toThrow("unknown time zone");
  });
});

describe("read_page", () => {
  it("answers the whole text, however the name is written", async () => {
    const text = await run("read_page", { page: "street-trees" });
    expect(text).toContain("11 to 19 degrees");
    expect(await run("read_page", { page: " Street-Trees.md " })).toBe(text);
  });

  it.each(["nope", "../../package.json", "/etc/passwd", "__proto__", "pages/street-trees"])(
    "tells for %j which pages there are",
    async (page) => {
      await expect(run("read_page", { page })).rejects.toThrow(
        "the pages are cool-surfaces, heat-plans, rain-gardens, street-trees",
      );
    },
  );
});
