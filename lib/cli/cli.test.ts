import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { format, isDeepStrictEqual } from "node:util";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { chunk, sendStream, startRawServer } from "@/lib/server/models/testing/raw-server";

const templates = path.join(import.meta.dirname, "../templates");
/** No provider but the demo one, which takes no time. */
const plainEnv = {
  OPENAI_API_KEY: undefined,
  OPENAI_BASE_URL: undefined,
  ANTHROPIC_API_KEY: undefined,
  ANTHROPIC_BASE_URL: undefined,
  COMPATIBLE_BASE_URL: undefined,
  SWARMLOOM_DEMO_SPEED: "0",
};

const projectFolder = process.cwd();
const stdinProperty = Object.getOwnPropertyDescriptor(process, "stdin");
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-cli-"));
  process.chdir(folder);
});
afterAll(() => {
  if (stdinProperty) Object.defineProperty(process, "stdin", stdinProperty);
  process.chdir(projectFolder);
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

let lastEnv: Call["env"] = {};
interface Call {
  stdin?: string;
  env?: Record<string, string>;
}

/** Performs a command in this process, from a folder that is not the project's; `process.test.ts` calls the real one. */
async function swarmloom(args: readonly string[], { stdin = "", env = {} }: Call = {}) {
  for (const [name, value] of Object.entries({ ...plainEnv, ...env })) vi.stubEnv(name, value);
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from([Buffer.from(stdin)]) });
  const stdout: string[] = [];
  const stderr: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => stdout.push(String(chunk)) > 0);
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => stderr.push(String(chunk)) > 0);
  vi.spyOn(console, "error").mockImplementation((...values) => void stderr.push(`${format(...values)}\n`));
  // The environment is read once by each copy of the modules.
  if (!isDeepStrictEqual(env, lastEnv)) vi.resetModules();
  lastEnv = env;
  const { runCommandLine } = await import("./program");
  const code = await runCommandLine(args);
  vi.restoreAllMocks();
  return { stdout: stdout.join(""), stderr: stderr.join(""), code };
}
const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const write = (name: string, content: string): string => {
  writeFileSync(path.join(folder, name), content);
  return name;
};

describe("swarmloom parse", () => {
  it("prints the structure of a text", async () => {
    const { stdout, stderr, code } = await swarmloom(["parse", "a>>(c|b)>>d"]);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      nodes: ["a", "c", "b", "d"],
      edges: expect.arrayContaining([
        ["a", "b"],
        ["a", "c"],
        ["b", "d"],
        ["c", "d"],
      ]),
      layers: [["a"], ["b", "c"], ["d"]],
      printed: "a >> (c | b) >> d",
      problems: [],
    });
    expect([stderr, code]).toEqual(["", 0]);
  });

  it("shows what is wrong, and where", async () => {
    const { stdout, stderr, code } = await swarmloom(["parse", "a >>\n b -> c"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      problems: [{ code: "not-an-arrow", severity: "error", line: 2, column: 4, endLine: 2, endColumn: 6 }],
    });
    expect(stderr).toMatch(/^<dsl>:2:4: error not-an-arrow: .+\n 2 \| {2}b -> c\n {3}\| {4}\^\^\n$/);
    expect(code).toBe(1);
  });

  it("answers each JSON line with one, bad ones, too", async () => {
    const stdin = [
      { id: "one", dsl: "a >> b" },
      { id: 2, dsl: "a >> bob", names: ["a", "bo"] },
      { id: "three" },
      { id: "__proto__", dsl: "__proto__ >> constructor" },
      { dsl: `${"(".repeat(5000)}a` },
    ].map((line) => JSON.stringify(line));
    const { stdout, code } = await swarmloom(["parse", "--stdin"], {
      stdin: [...stdin, "no json", "", "[1]"].join("\r\n"),
    });
    const results = linesOf(stdout);
    expect(results.map(({ id, ok }) => [id, ok])).toEqual([
      ["one", true],
      [2, false],
      ["three", false],
      ["__proto__", true],
      [undefined, false],
      [undefined, false],
      [undefined, false],
    ]);
    expect(results[1].problems).toEqual([
      expect.objectContaining({ code: "unknown-name", line: 1, column: 6, endLine: 1, endColumn: 9 }),
    ]);
    expect(results[3].edges).toEqual([["__proto__", "constructor"]]);
    for (const result of results)
      expect(Object.keys(result)).toEqual(expect.arrayContaining(["nodes", "edges", "layers", "printed", "problems"]));
    expect(code).toBe(1);
  });
});

describe("swarmloom export and import", () => {
  const template = path.join(templates, "nested.yaml");

  it("print a flow in another format, and a flow file made of that again", async () => {
    const python = await swarmloom(["export", template, "--to", "python"]);
    expect(python.stdout).toContain('research = ParallelGroup(name="research", agents=[researcher, analyst])');
    expect(python.stderr).toMatch(/^note: Orbiter has no simulated models/m);
    const back = await swarmloom(["import", "-"], { stdin: python.stdout });
    expect(back.stdout).toContain("  flow: planner >> research >> desk\n");
    expect([python.code, back.code, back.stderr]).toEqual([0, 0, ""]);
  });

  it("tell what was set aside, where nothing can be read, and which formats there are", async () => {
    const aside = await swarmloom(["import", write("aside.py", 'import os\na = Agent(name="a")\nos.remove("x")\n')]);
    expect(aside.stderr).toMatch(/^aside\.py:1:1: kept as text, not read: import os\naside\.py:3:1: kept as text/);
    expect([aside.code, aside.stdout.includes("#   os.remove")]).toEqual([0, true]);
    const none = await swarmloom(["import", "-", "--from", "json"], { stdin: '{"agents": oops}' });
    expect(none.stderr).toMatch(/^-:1:\d+: error yaml-syntax: This is not valid JSON/);
    expect([none.code, none.stdout]).toEqual([1, ""]);
    const broken = await swarmloom(["export", write("broken.yaml", "swarm: { flow: a >> }\n"), "--to", "json"]);
    expect([broken.code, broken.stdout]).toEqual([1, ""]);
    expect(broken.stderr).toMatch(/^broken\.yaml:1:\d+: error missing-operand/m);
    const unknown = await swarmloom(["export", template, "--to", "exe"]);
    expect([unknown.code, unknown.stderr.includes("dsl, orbiter-dsl, yaml")]).toEqual([2, true]);
  });
});

describe("an import that loses meaning", () => {
  it("prints the flow and what was lost, and ends with 1", async () => {
    const file = write("lossy.py", 'a = Agent(name="a", model="demo:x", hooks=[watch])\n');
    const { stdout, stderr, code } = await swarmloom(["import", file]);
    expect(stdout).toContain("  a:\n    model: demo:x\n");
    expect(stderr).toMatch(/^lossy\.py:1:37: lost, kept as text: argument hooks of "a"$/m);
    expect(stderr).toMatch(/^lossy\.py: the flow does not mean the same: .*1/m);
    expect(code).toBe(1);
  });

  it("keeps the mode of Swarm.to_dict(), and ends with 0 when nothing is lost", async () => {
    const agents = ["w", "l"].map((name) => ({ name, model: "demo:x", instructions: "", max_steps: 10 }));
    const file = write("team.json", JSON.stringify({ agents, flow: "l >> w", mode: "team", max_handoffs: 10 }));
    const { stdout, stderr, code } = await swarmloom(["import", file]);
    expect([stdout.includes("  type: team\n  agents: [l, w]\n"), stderr, code]).toEqual([true, "", 0]);
  });

  it("ends with 1 when the flow has errors, and prints it all the same", async () => {
    const text = "agents: { a: { model: demo:x, tools: [no_such_tool] } }\nswarm: { flow: a >> absent }\n";
    const { stdout, stderr, code } = await swarmloom(["import", write("errors.yaml", text)]);
    expect(stdout).toBe(text);
    expect(stderr).toMatch(/^<flow>:1:\d+: error unknown-tool/m);
    expect(stderr).toMatch(/^<flow>:2:\d+: error unknown-name/m);
    expect(code).toBe(1);
  });

  it("is no error of a machine without keys", async () => {
    const file = write("keyless.py", 'a = Agent(name="a", model="openai:gpt-5.6-sol")\n');
    expect(await swarmloom(["import", file])).toMatchObject({ stderr: "", code: 0 });
  });

  it("is told apart by the export, too", async () => {
    const text = "agents: { a: { model: demo:x, max_retries: 1 } }\nswarm: { flow: a }\n";
    const { stderr, code } = await swarmloom(["export", write("retries.yaml", text), "--to", "python"]);
    expect(stderr).toMatch(/^lost: Orbiter's agents have no `max_retries`\.$/m);
    expect(stderr).toMatch(/^note: Orbiter has no simulated models/m);
    expect(code).toBe(0);
  });
});

describe("swarmloom check", () => {
  it("reports no problem in the templates", async () => {
    const { stdout, stderr, code } = await swarmloom(["check", path.join(templates, "demo-article.yaml"), "--json"]);
    expect(linesOf(stdout)).toEqual([{ file: expect.stringContaining("demo-article.yaml"), ok: true, problems: [] }]);
    expect([stderr, code]).toEqual(["", 0]);
  });

  it("points at mistakes in the caller's files", async () => {
    const file = write(
      "bad.yaml",
      "agents:\n  a: { model: openai:gpt-x, tools: [calculater] }\nswarm:\n  flow: a >> absent\n",
    );
    const { stderr, code } = await swarmloom(["check", file]);
    expect(stderr).toMatch(/^bad\.yaml:2:\d+: error unknown-tool: .+calculator/m);
    expect(stderr).toMatch(/^bad\.yaml:2:\d+: warning missing-key: .+OPENAI_API_KEY/m);
    expect(stderr).toMatch(/^bad\.yaml:4:14: error unknown-name: .+\n 4 \| {3}flow: a >> absent\n {3}\| {14}\^{6}$/m);
    expect(code).toBe(1);
  });
});

describe("settings that this machine lacks", () => {
  const source = 'agents:\n  a: { model: "demo:a", tools: [file_read] }\nswarm: { flow: a }\n';

  it("are warnings of check, and end a run before it starts", async () => {
    const file = write("reader.yaml", source);
    const checked = await swarmloom(["check", file]);
    expect(checked.stderr).toMatch(/^reader\.yaml:2:\d+: warning missing-setting: .+SWARMLOOM_WORKSPACE/m);
    expect(checked.code).toBe(0);
    const run = await swarmloom(["run", file, "--input", "x"]);
    expect(run.stderr).toMatch(/^reader\.yaml:2:\d+: error missing-setting: .+SWARMLOOM_WORKSPACE/m);
    expect([run.stdout, run.code]).toEqual(["", 1]);
  });
});

describe("swarmloom run", () => {
  const hello = path.join(templates, "hello.yaml");

  it("prints the output and nothing else", async () => {
    const { stdout, stderr, code } = await swarmloom(["run", hello, "--input", "-"], { stdin: "What is a swarm?" });
    expect(stdout).toMatch(/^Simulated answer \(no model was asked\)\.\n\nTopic: What is a swarm\?\n/);
    expect([stderr, code]).toEqual(["", 0]);
  });

  it("prints the whole result with --json, the conversation before it included", async () => {
    const before = [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi." },
    ];
    const file = write("messages.json", JSON.stringify(before));
    const { stdout, code } = await swarmloom(["run", hello, "--input", "And now?", "--messages", file, "--json"]);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      status: "SUCCESS",
      steps: 1,
      simulated: true,
      usage: { calls: 1, cost: 0, estimated: true },
    });
    expect(result.messages.slice(1, -1)).toEqual([...before, { role: "user", content: "And now?" }]);
    expect(result.messages.at(-1)).toEqual({ role: "assistant", content: result.output });
    expect(result.nodes.map(({ kind }: { kind: string }) => kind)).toEqual(["swarm", "agent", "llm_call"]);
    expect(code).toBe(0);
  });

  it("refuses a tool that SWARMLOOM_APPROVE names, whatever the flow declares, where no user can answer", async () => {
    const agent = '{ model: "demo:a", tools: [calculator] }';
    const file = write("approve.yaml", `agents:\n  a: ${agent}\nswarm: { flow: a }\n`);
    const args = ["run", file, "--input", 'demo: call calculator {"expression": "6*7"}', "--json"];
    const toolOf = (stdout: string) =>
      JSON.parse(stdout).nodes.find(({ kind }: { kind: string }) => kind === "tool_call");
    expect(toolOf((await swarmloom(args)).stdout)).toMatchObject({ status: "SUCCESS" });
    const env = { SWARMLOOM_APPROVE: "calculator" };
    expect(toolOf((await swarmloom(args, { env })).stdout)).toMatchObject({
      status: "FAILED",
      error: { code: "tool" },
    });
    const wrong = await swarmloom(args, { env: { SWARMLOOM_APPROVE: "calculators" } });
    expect(wrong.stderr).toContain("SWARMLOOM_APPROVE cannot be used");
    expect([wrong.stdout, wrong.code]).toEqual(["", 2]);
  });

  it("fails with the reason on standard error", async () => {
    const { stdout, stderr, code } = await swarmloom(["run", hello, "--input", "demo: error 401"]);
    expect(stderr).toMatch(/^FAILED at assistant.*: Simulated error 401/);
    expect([stdout, code]).toEqual(["", 1]);
  });

  it("asks a real provider in place of every agent's own model, by the environment", async () => {
    const mock = new LLMock({ port: 0, host: "127.0.0.1" });
    mock.onMessage("Hello", { content: "Hello from the wire." });
    await mock.start();
    const env = { OPENAI_API_KEY: "sk-cli-secret-123", OPENAI_BASE_URL: `${mock.url}/v1` };
    const { stdout, code } = await swarmloom(["run", hello, "--input", "Hello", "--model", "gpt-5.5", "--json"], {
      env,
    });
    const { url } = mock;
    await mock.stop();
    const result = JSON.parse(stdout);
    expect(result.output).toBe("Hello from the wire.");
    expect(result.simulated).toBeUndefined();
    const call = result.nodes.find(({ kind }: { kind: string }) => kind === "llm_call");
    expect(call.request.url).toBe(`${url}/v1/responses`);
    expect(JSON.parse(call.request.body.text)).toMatchObject({ model: "gpt-5.5", stream: true });
    expect(stdout).not.toContain("sk-cli-secret");
    expect(code).toBe(0);
  });

  it("prints the warnings of a run that succeeds on standard error and exits with 0", async () => {
    const mock = new LLMock({ port: 0, host: "127.0.0.1" });
    mock.onMessage("Hello", { content: "Once upon a", finishReason: "length" });
    await mock.start();
    const env = { OPENAI_API_KEY: "sk-cli-secret-123", OPENAI_BASE_URL: `${mock.url}/v1` };
    const args = ["run", hello, "--input", "Hello", "--model", "gpt-5.5"];
    const plain = await swarmloom(args, { env });
    const asJson = await swarmloom([...args, "--json"], { env });
    await mock.stop();
    expect([plain.stdout, plain.code, asJson.code]).toEqual(["Once upon a\n", 0, 0]);
    for (const { stderr } of [plain, asJson])
      expect(stderr).toMatch(/^warning answer-cut at assistant#llm-1: The answer reached the limit of output tokens/);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      status: "SUCCESS",
      warnings: [{ code: "answer-cut", node: 3, path: "assistant#llm-1" }],
    });
  });

  it("warns that a limit of cost does not count a model without a price, and runs", async () => {
    const server = await startRawServer((response) =>
      sendStream(response, [chunk({ role: "assistant", content: "Local." }), chunk({}, "stop")]),
    );
    const file = write("cost.yaml", 'limits: { max_cost: 1 }\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n');
    const args = ["run", file, "--input", "x", "--model", "compatible:llama"];
    const { stdout, stderr, code } = await swarmloom(args, { env: { COMPATIBLE_BASE_URL: `${server.url}/v1` } });
    await server.close();
    expect(stderr).toContain('warning unpriced-model: The price of "compatible:llama" is not known');
    expect([stdout, code]).toEqual(["Local.\n", 0]);
    expect((await swarmloom(["run", file, "--input", "x"])).stderr).toBe("");
  });

  const orbiterFile = `vars:
  default_model: "openai:gpt-5.6-luna"
  steps: 2
agents:
  finder:
    model: "\${vars.default_model}"
    temperature: 0.3
    max_steps: "\${vars.steps}"
  author:
    model: "\${vars.default_model}"
swarm:
  type: workflow
  flow: "finder >> author"
  order:
    - finder
    - author
`;

  it("sends the models that a file of Orbiter looks up in its vars", async () => {
    const mock = new LLMock({ port: 0 });
    mock.onMessage(/.*/, { content: "Shade." });
    const url = await mock.start();
    const { stdout, stderr, code } = await swarmloom(["run", write("orbiter.yaml", orbiterFile), "--input", "Q"], {
      env: { OPENAI_API_KEY: "sk-cli-secret-of-test", OPENAI_BASE_URL: `${url}/v1` },
    });
    const models = mock.getRequests().map(({ body }) => body?.model);
    await mock.stop();
    expect(models).toEqual(["gpt-5.6-luna", "gpt-5.6-luna"]);
    expect([stdout, stderr, code]).toEqual(["Shade.\n", "", 0]);
  });

  it("runs such a file with --model, and refuses one whose variable is missing", async () => {
    const demo = await swarmloom(["run", write("orbiter.yaml", orbiterFile), "--input", "Q", "--model", "demo:x"]);
    expect(demo).toMatchObject({ stderr: "", code: 0 });
    const missing = write("missing.yaml", orbiterFile.replace("  default_model", "  defaultmodel"));
    const refused = await swarmloom(["run", missing, "--input", "Q"]);
    expect(refused.stderr).toMatch(/missing\.yaml:6:20: error unknown-variable: .*Did you mean defaultmodel\?/);
    expect(refused.code).toBe(1);
  });

  it("refuses an empty flow, which `check` lets pass", async () => {
    const empty = write("empty.yaml", "name: New\nagents:\nswarm:\n  type: workflow\n");
    const ran = await swarmloom(["run", empty, "--input", "Q"]);
    expect([ran.stdout, ran.code]).toEqual(["", 1]);
    expect(ran.stderr).toContain("info no-agents: The flow has no agents yet.");
    expect(await swarmloom(["check", empty])).toMatchObject({ stdout: "empty.yaml: fine\n", code: 0 });
  });

  it("ends at --max-seconds", async () => {
    const { stderr, code } = await swarmloom(["run", hello, "--input", "demo: slow", "--max-seconds", "0.3"], {
      env: { SWARMLOOM_DEMO_SPEED: "1" },
    });
    expect(stderr).toMatch(/^TIMEOUT/);
    expect(code).toBe(1);
  });

  it("uses --max-steps, --max-retries and --loop-threshold in place of the agents' own", async () => {
    const text = "agents: { a: { model: 'demo:x', tools: [calculator] } }\nswarm: { flow: a }\n";
    const run = ["run", write("limited.yaml", text), "--input", "What is 2 + 2?"];
    expect(await swarmloom(run)).toMatchObject({ code: 0 });
    const limited = await swarmloom([...run, "--max-steps", "1", "--max-retries", "0", "--events"]);
    expect(limited.stdout).toContain('"parameters":{"max_steps":1,"max_retries":0}');
    expect(limited.stderr).toContain("had no answer after 1 model calls. Raise the run's max_steps");
    expect(limited.code).toBe(1);
    const looped = await swarmloom([...run, "--loop-threshold", "1"]);
    expect(looped.stderr).toContain("asked for the same tools 1 times in a row");
  });
});

describe("fmt", () => {
  it("prints the usual form, and with --write puts it in the file", async () => {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), "fmt-")), "flow.yaml");
    writeFileSync(file, "agents:\n    a: {model: x}   # why\n");
    const tidy = "agents:\n  a: { model: x } # why\n";
    expect(await swarmloom(["fmt", file])).toMatchObject({ stdout: tidy, code: 0 });
    expect(await swarmloom(["fmt", file, "--write"])).toMatchObject({ stdout: "", code: 0 });
    expect(readFileSync(file, "utf8")).toBe(tidy);
    writeFileSync(file, "agents: [");
    expect(await swarmloom(["fmt", file])).toMatchObject({ stdout: "", code: 1 });
  });
});

describe("wrong usage", () => {
  it.each([
    [[], "Usage: swarmloom"],
    [["tidy", "x"], "unknown command 'tidy'"],
    [["fmt", "no-such-file.yaml"], "there is no such file"],
    [["parse"], "--stdin"],
    [["run", "hello.yaml"], "--input"],
    [["run", "no-such-file.yaml", "--input", "x"], "there is no such file"],
    [["run", "hello.yaml", "--input", "x", "--max-steps", "0"], "Expected a whole number: "],
    [["run", "hello.yaml", "--input", "x", "--max-retries", ""], "Expected a whole number: "],
    [["run", "hello.yaml", "--input", "x", "--loop-threshold", "1.5"], "Expected a whole number: "],
    [["run", path.join(templates, "hello.yaml"), "--input", "x", "--model", "absent:x"], "absent"],
  ])("%j ends with 2", async (args, message) => {
    const { stdout, stderr, code } = await swarmloom(args);
    expect(stderr).toContain(message);
    expect([stdout, code]).toEqual(["", 2]);
  });
});

it("loads neither the web framework nor the database for parse, check and run", () => {
  const sources = [
    "main.ts",
    "program.ts",
    "commands/parse-command.ts",
    "commands/check-command.ts",
    "commands/run-command.ts",
  ].map((file) => readFileSync(path.join(import.meta.dirname, file), "utf8"));
  expect(sources.join("\n")).not.toMatch(/server\/(?:db|flows|runs)|from "next|^import .*"\.{1,2}\/start"/m);
});
