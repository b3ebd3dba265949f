import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { RunEvent } from "../../../run/events/events";
import { ScriptedModels } from "../../../run/testing/scripted-model";
import { readSource } from "../../read-source";
import { importFlow } from "../import/import-flow";
import { exportFlow } from "./export-flow";

const hostile = `name: '</title><script>alert("1")</script>'
agents:
  '"] --> x; click n1 href "javascript:alert(1)"': { model: "demo:<b>&amp;" }
  "end": { model: "demo:x", tools: ["<img src=x>"] }
  '\`\${process.exit(1)}\`': {}
swarm: { flow: '"\\"] --> x; click n1 href \\"javascript:alert(1)\\"" >> end >> "\`\${process.exit(1)}\`"' }
`;
const nested = `agents: { a: { model: "demo:x" }, b: {}, c: {}, d: {}, "e|f": {} }
groups: { g: { type: parallel, flow: "a | b" } }
branches: { q: { condition: "true", if_true: c } }
swarm: { flow: 'g >> q >> (d >> "e|f" | absent)' }
`;
const written = (text: string, format: Parameters<typeof exportFlow>[1]) => exportFlow(readSource(text), format);

describe("mermaid", () => {
  it("draws frames as subgraphs and gives every card an id of its own", () => {
    expect(written(nested, "mermaid").text).toBe(`flowchart LR
  subgraph n1 ["g (parallel)"]
    n2["a"]
    n3["b"]
  end
  subgraph n4 ["q (branch)"]
    n5["if_true: c"]
  end
  n6["d"]
  n7["e#124;f"]
  n8("absent")
  n6 --> n7
  n1 --> n4
  n4 --> n6
  n4 --> n8
  classDef waiting stroke-dasharray: 4 3
  class n8 waiting
`);
  });

  it("lets no name out of its label", () => {
    const labels = written(hostile, "mermaid")
      .text.split("\n")
      .filter((line) => /^ *n\d+\[/.test(line));
    expect(labels).toHaveLength(3);
    for (const label of labels) expect(label).toMatch(/^ {2}n\d\["[^"<>;`]*(?:#\d+;[^"<>;`]*)*"\]$/);
  });
});

describe("svg", () => {
  it("holds nothing but shapes and escaped text", () => {
    const { text } = written(hostile, "svg");
    expect([...text.matchAll(/<(\/?\w+)/g)].map(([, tag]) => tag)).not.toContain("script");
    expect(new Set([...text.matchAll(/<(\w+)/g)].map(([, tag]) => tag))).toEqual(
      new Set(["svg", "title", "rect", "g", "text", "path"]),
    );
    expect(text).toContain("&lt;/title&gt;&lt;script&gt;");
    expect(text).not.toMatch(/\s(?:href|on\w+)="/);
  });

  it("has a card for each agent, a frame for each group, and colours for both themes", () => {
    const document = readSource(nested);
    const light = exportFlow(document, "svg", { theme: "light" }).text;
    const dark = exportFlow(document, "svg", { theme: "dark" }).text;
    const names = [...light.matchAll(/<text [^>]*font-weight="600"[^>]*>([^<]+)</g)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(["g", "q", "a", "b", "c", "d", "e|f", "absent"]));
    expect(light.match(/width="30" height="30"/g)).toHaveLength(5);
    expect(light).not.toBe(dark);
    expect(light.replaceAll(/#[\da-f]{6}/g, "")).toBe(dark.replaceAll(/#[\da-f]{6}/g, ""));
  });

  it("heeds pins, also to the left of everything", () => {
    const { text } = exportFlow({ ...readSource(nested), layout: { pins: { d: { dx: -1300, dy: -50 } } } }, "svg");
    const [, left = ""] = /viewBox="(-?[\d.]+) /.exec(text) ?? [];
    expect(Number(left)).toBeLessThan(-100);
  });
});

it("notes are drawn below the flow, as words", () => {
  const note = { x: -500, y: 0, width: 200, height: 60, color: "pink" } as const;
  const draw = (text: string): string =>
    exportFlow({ ...readSource(nested), layout: { pins: {}, notes: { n: { ...note, text } } } }, "svg").text;
  const picture = draw("See <b>this</b>\nhttps://example.com and a lot of other words that do not fit here");
  expect(picture).toContain("See &lt;b&gt;this&lt;/b&gt;");
  expect(picture).not.toContain("<b>");
  expect(picture.indexOf("#ffe0ec")).toBeLessThan(picture.indexOf("<path"));
  expect(picture).toContain(" …</text>");
  expect(Number(/viewBox="(-?\d+)/.exec(draw(""))?.[1])).toBeLessThan(-500);
});

it("a flow that runs down is drawn so", () => {
  const source = { ...readSource(nested), layout: { pins: {}, direction: "down" as const } };
  expect(exportFlow(source, "mermaid").text).toMatch(/^flowchart TD\n/);
  const [, width = "0", height = "0"] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(exportFlow(source, "svg").text) ?? [];
  expect(Number(height)).toBeGreaterThan(Number(width) / 2);
});

describe("notes", () => {
  it("name what Orbiter cannot express, and what it writes differently", () => {
    const { text, notes, losses } = written(nested, "python");
    expect(losses.join("\n")).toMatch(/no branch: "q"/);
    expect(losses.join("\n")).toMatch(/Nothing is declared as "absent"/);
    expect(notes.join("\n")).toMatch(/cannot write the name "e\|f": it becomes "e-f"/);
    expect(losses.join("\n")).toMatch(/group or swarm inside a group|stops/);
    expect(text).toContain('# Left out: the branch "q" round c.');
    expect(written(nested, "orbiter-dsl").losses.join("\n")).toMatch(/no stages inside parentheses/);
  });

  it.each<[what: string, text: string, format: "python" | "dsl" | "orbiter-dsl", loss: RegExp]>([
    ["limits", "agents: { a: {} }\nlimits: { max_cost: 1 }\nswarm: { flow: a }\n", "python", /no limits/],
    [
      "order of tool calls",
      "agents: { a: { tool_calls: sequential } }\nswarm: { flow: a }\n",
      "python",
      /no `tool_calls`/,
    ],
    ["failure at max_steps", "agents: { a: { on_limit: fail } }\nswarm: { flow: a }\n", "python", /no `on_limit`/],
    ["retries", "agents: { a: { max_retries: 1 } }\nswarm: { flow: a }\n", "python", /no `max_retries`/],
    [
      "handoffs",
      "agents: { a: {}, b: {} }\nswarm: { type: handoff, agents: [a, b], edges: [[a, b]] }\n",
      "dsl",
      /handoffs between/,
    ],
    ["parallel work", "agents: { a: {}, b: {} }\nswarm: { flow: (a | b) }\n", "orbiter-dsl", /one after another/],
  ])("call it a loss that a format has no %s", (_, text, format, loss) => {
    expect(written(text, format).losses.join("\n")).toMatch(loss);
  });

  it("call nothing a loss that holds for every agent of Orbiter", () => {
    const text = "agents: { a: { model: 'openai:x', tool_calls: parallel, on_limit: answer } }\nswarm: { flow: a }\n";
    expect(written(text, "python").losses).toEqual([]);
    expect(written(text, "python").text).not.toMatch(/on_limit|tool_calls/);
  });

  it("call it none that Orbiter asks a person by another tool", () => {
    const text = 'agents: { a: { model: "openai:gpt-5", tools: [ask_human] } }\nswarm: { flow: a }\n';
    const exported = written(text, "python");
    expect(exported.text).toContain("from orbiter.human import HumanInputTool\n");
    expect([exported.text.includes("tools=[HumanInputTool()]"), exported.losses]).toEqual([true, []]);
    expect(readSource(importFlow(exported.text).source).flow.agents.get("a")?.tools).toEqual(["ask_human"]);
  });

  it("stay empty where nothing is lost", () => {
    for (const format of ["yaml", "json", "typescript", "svg", "mermaid"] as const)
      expect(written(nested, format)).toMatchObject({ notes: [], losses: [] });
  });
});

describe("typescript", () => {
  const root = path.join(import.meta.dirname, "../../../../..");
  let folder = "";
  let file = "";
  const source = `# \\ and \`\nname: Two\r\nagents:\n  a: { model: "demo:x", instructions: "Say \${vars.word}" }\n  b: { model: "demo:x" }\nvars: { word: hi }\nswarm: { flow: a >> b }\n`;
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-export-"));
    file = path.join(folder, "two.ts");
    writeFileSync(file, written(source, "typescript").text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is accepted by the compiler as strictly as our own code", () => {
    const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), (name) => readFileSync(name, "utf8"));
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [file] }, ts.sys, root);
    const program = ts.createProgram([file], { ...options, noEmit: true, incremental: false });
    const found = [
      ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
      ...program.getSemanticDiagnostics(program.getSourceFile(file)),
    ];
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  }, 120_000);

  it("runs the same flow", async () => {
    const moduleSchema = z.object({
      source: z.string(),
      run: z.custom<(input: string, context: object) => AsyncGenerator<RunEvent>>(
        (value) => typeof value === "function",
      ),
    });
    const exported = moduleSchema.parse({ ...(await import(/* @vite-ignore */ pathToFileURL(file).href)) });
    expect(exported.source).toBe(source);
    const models = new ScriptedModels({ a: [{ text: "A" }], b: [{ text: "B" }] }, async () => undefined);
    const context = {
      models,
      tools: { find: () => null },
      now: () => 0,
      sleep: async () => undefined,
      random: () => 0,
      signal: new AbortController().signal,
    };
    const events: RunEvent[] = [];
    for await (const event of exported.run("Q", context)) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: "run.finished", status: "SUCCESS", output: { text: "B" } });
    expect(models.requestsOf("a")[0]?.messages[0]).toEqual({ role: "system", content: "Say hi" });
  });
});
