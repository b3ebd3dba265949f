import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printFlow } from "../../dsl/print";
import { anyFlow, plain } from "../read/source.arbitrary";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { exportFlow } from "./export/export-flow";
import type { ExportFormat, ImportFormat } from "./format-names";
import { anyOrbiterFlow } from "./formats.arbitrary";
import { detectFormat } from "./import/detect-format";
import { importFlow } from "./import/import-flow";

const templates = path.join(import.meta.dirname, "../../../templates");
const files = readdirSync(templates)
  .filter((file) => file.endsWith(".yaml"))
  .map((file): [string, string] => [file, readFileSync(path.join(templates, file), "utf8")]);

const toText = (text: string, format: ExportFormat): string => exportFlow(readSource(text), format).text;
const flowOf = (text: string, format: ImportFormat) => {
  const { source, problems } = importFlow(text, format);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return readSource(source);
};

describe("there and back", () => {
  it("property: yaml is the text itself, comments included", () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const text = `# kept\n${writeSource(flow)}`;
        expect(importFlow(toText(text, "yaml"), "yaml").source).toBe(text);
      }),
      { numRuns: 20 },
    );
  });

  it("property: json gives the same flow", () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const json = exportFlow({ text: "", flow }, "json").text;
        expect(() => JSON.parse(json)).not.toThrow();
        expect(plain(flowOf(json, "json").flow)).toEqual(plain(flow));
      }),
      { numRuns: 30 },
    );
  });

  it("property: a flow line gives the same order, groups and swarms", () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const back = flowOf(exportFlow({ text: "", flow }, "dsl").text, "dsl").flow;
        const line = (one: typeof flow) => one.swarm.flow && printFlow(one.swarm.flow);
        expect(line(back)).toBe(line(flow));
        const parts = (one: typeof flow) =>
          [...one.groups.values(), ...one.swarms.values()].map((part) => [
            part.name,
            part.mode,
            part.flow && printFlow(part.flow),
            "agents" in part ? part.agents : undefined,
          ]);
        expect(parts(back)).toEqual(parts(flow));
      }),
      { numRuns: 40 },
    );
  });

  it("a flow line keeps names with any kind of space", () => {
    const text =
      'agents: { "a\\u2028b": {}, c: {} }\ngroups: { g: { type: parallel, flow: "a\\u2028b | c" } }\nswarm: { flow: g }\n';
    expect([...flowOf(toText(text, "dsl"), "dsl").flow.agents.keys()]).toEqual(["a\u2028b", "c"]);
  });

  it("property: python gives the same flow, as far as Orbiter can express it", () => {
    fc.assert(
      fc.property(anyOrbiterFlow, (flow) => {
        const { text, notes } = exportFlow({ text: "", flow }, "python");
        const { source, problems, quarantined } = importFlow(text, "python");
        expect([problems, quarantined]).toEqual([[], []]);
        const back = readSource(source).flow;
        expect([plain(back), back.compat]).toEqual([plain(flow), flow.compat]);
        expect(notes.filter((note) => !/^(?:Tools are|In Orbiter|Orbiter cannot run a group)/.test(note))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it.each(files)("%s goes through every format", (_, text) => {
    const { flow } = readSource(text);
    expect(plain(flowOf(toText(text, "json"), "json").flow)).toEqual(plain(flow));
    expect(flowOf(toText(text, "dsl"), "dsl").broken).toBe(false);
    const python = importFlow(toText(text, "python"));
    expect([python.format, python.quarantined]).toEqual(["python", []]);
    for (const agent of flow.agents.keys()) expect(readSource(python.source).flow.agents.has(agent)).toBe(true);
    expect(toText(text, "svg")).toContain(`<title>${flow.name}</title>`);
    expect(toText(text, "mermaid")).toMatch(/^flowchart LR\n[\s\S]*n1/);
    expect(toText(text, "typescript")).toContain("readSource(source)");
  });
});

describe("detectFormat", () => {
  it.each(files)("knows what %s is exported as", (_, text) => {
    for (const format of ["yaml", "json", "python"] as const) expect(detectFormat(toText(text, format))).toBe(format);
  });

  it.each<[string, ImportFormat | null]>([
    ["a >> (b | c)", "dsl"],
    ["# why\na >>\n  b", "dsl"],
    ["(a | b)", "dsl"],
    ['{"agents": {"a": {"model": "demo:x"}}}', "json"],
    ['{"mode": "workflow", "flow": "a", "flow_order": ["a"], "agents": {"a": {}}}', "orbiter-json"],
    ["agents:\n  a:\n    system_prompt: Hello\n", "orbiter-yaml"],
    ["agents:\n  a: {}\n", "yaml"],
    ["{ agents: { a: {} } }", "yaml"],
    ['a = Agent(name="a")', "python"],
    ["from orbiter import Agent", "python"],
    ["Hello, how are you?", null],
    ["5 > 3 and 2 | 1", null],
    ["<script>alert(1)</script>", null],
    ["", null],
  ])("takes %j for %s", (text, format) => {
    expect(detectFormat(text)).toBe(format);
  });
});
