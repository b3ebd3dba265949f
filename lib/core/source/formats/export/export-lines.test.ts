import fc from "fast-check";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { readSource } from "../../read-source";
import { importFlow } from "../import/import-flow";
import { exportFlow } from "./export-flow";

const agents = "agents: { a: {}, b: {}, c: {}, d: {} }\n";
const exported = (text: string, format: Parameters<typeof exportFlow>[1]) => exportFlow(readSource(text), format);
const linesOf = (text: string): string[] => exported(text, "dsl").text.trimEnd().split("\n");

describe("a flow line", () => {
  it.each<[what: string, rest: string, lines: string[]]>([
    ["a workflow", "swarm: { flow: a >> (b | c) }", ["a >> (b | c)"]],
    ["a team: the lead and its workers", "swarm: { type: team, agents: [b, a, c] }", ["b >> (a | c)", "# team"]],
    ["a handoff swarm of one agent", "swarm: { type: handoff, agents: [a] }", ["a", "# handoff"]],
    [
      "named groups, without their outer parentheses",
      'groups: { g: { type: parallel, flow: "a | b" }, h: { type: serial, flow: c >> d } }\nswarm: { flow: g >> h }',
      ["g >> h", "# parallel g: a | b", "# serial h: c >> d"],
    ],
    [
      "nested swarms of each mode",
      "swarms: { s: { type: orchestrate, agents: [a, b] }, t: { flow: c } }\nswarm: { flow: s >> t }",
      ["s >> t", "# orchestrate s: a >> b", "# workflow t: c"],
    ],
    [
      "a name that needs quotes before the colon",
      'groups: { "x: y": { type: parallel, flow: "a | b" } }\nswarm: { flow: "x: y" }',
      ["x: y", '# parallel "x: y": a | b'],
    ],
    [
      "lanes of controls, as comments",
      "branches: { q: { condition: 'true', if_true: a >> b, if_false: c } }\nswarm: { flow: q }",
      ["q", "# branch q if_true: a >> b", "# branch q if_false: c"],
    ],
    ["links that no line can express", "swarm: { edges: [[a, c], [b, c], [b, d]] }", ["# a -> c, b -> c, b -> d"]],
  ])("of %s", (_, rest, lines) => {
    expect(linesOf(`${agents}${rest}\n`)).toEqual(lines);
  });

  it.each<[what: string, rest: string, losses: RegExp[]]>([
    ["a workflow", "swarm: { flow: a }", [/names only/]],
    ["a drawing", "swarm: { edges: [[a, c], [b, c], [b, d]] }", [/names only/, /cannot be written as one line/]],
    ["handoffs", "swarm: { type: handoff, agents: [a, b], edges: [[a, b]] }", [/names only/, /handoffs between/]],
  ])("loses of %s what it cannot hold", (_, rest, losses) => {
    const messages = exported(`${agents}${rest}\n`, "dsl").losses;
    expect(messages).toHaveLength(losses.length);
    for (const [index, loss] of losses.entries()) expect(messages[index]).toMatch(loss);
  });
});

describe("a flow line for Orbiter", () => {
  it.each<[what: string, rest: string, text: string, losses: RegExp[]]>([
    ["a chain", "swarm: { flow: a >> b }", "a >> b", []],
    ["one name", "swarm: { flow: a }", "a", []],
    ["names side by side", "swarm: { flow: a >> (b | c) }", "a >> (b | c)", [/one after another/]],
    ["the same of Orbiter", "compat: orbiter\nswarm: { flow: a >> (b | c) }", "a >> (b | c)", []],
    ["nested stages", "swarm: { flow: a >> (b >> c | d) }", "a >> b >> d >> c", [/no stages inside parentheses/]],
    ["nothing", "agents: {}", "", [/has no flow/]],
    ["an approval", "approvals: { ok: { message: Sure? } }\nswarm: { flow: ok }", "ok", [/has no approval.*"ok"/]],
  ])("of %s", (_, rest, text, losses) => {
    const result = exported(`${rest.startsWith("agents") ? "" : agents}${rest}\n`, "orbiter-dsl");
    expect(result.text).toBe(`${text}\n`);
    expect(result.losses).toHaveLength(losses.length);
    for (const [index, loss] of losses.entries()) expect(result.losses[index]).toMatch(loss);
  });

  it("of a roster is its order, with the mode in a note", () => {
    const { text, notes } = exported(`${agents}swarm: { type: team, agents: [c, a] }\n`, "orbiter-dsl");
    expect([text, notes]).toEqual(["c >> a\n", [expect.stringContaining('mode="team"')]]);
  });

  it("reports a name that Orbiter cannot write", () => {
    const { losses } = exported('agents: { "x|y": {} }\nswarm: { flow: \'"x|y"\' }\n', "orbiter-dsl");
    expect(losses).toEqual([expect.stringContaining('cannot write the name "x|y"')]);
  });
});

describe("JSON", () => {
  it("keeps short values on a line, two levels below the top", () => {
    const { text } = exported(`name: Desk\n${agents}swarm: { type: team, agents: [b, a] }\n`, "json");
    expect(text).toBe(`{
  "name": "Desk",
  "agents": {
    "a": {},
    "b": {},
    "c": {},
    "d": {}
  },
  "swarm": {
    "type": "team",
    "agents": ["b", "a"]
  }
}
`);
  });

  it("breaks a value of more than 90 characters into lines", () => {
    const tools = Array.from({ length: 12 }, (_, i) => `tool_${i}`);
    const { text } = exported(`agents: { a: { tools: [${tools.join(", ")}] } }\nswarm: { flow: a }\n`, "json");
    expect(text).toContain(`      "tools": [\n        "tool_0",\n`);
    expect(JSON.parse(text)).toMatchObject({ agents: { a: { tools } } });
  });

  it.each(["10", "2", "true", "null", "__proto__", 'say "hi"', "a\\b", "é\u2028x"])(
    "keeps the name %j, in its order",
    (name) => {
      const key = JSON.stringify(name);
      const json = exported(
        `agents: { z: {}, ${key}: {}, "1": {} }\nswarm: { type: team, agents: [z] }\n`,
        "json",
      ).text;
      const { flow } = readSource(importFlow(json, "json").source);
      expect([...flow.agents.keys()]).toEqual(["z", name, "1"]);
    },
  );
});

describe("TypeScript", () => {
  /** The text that the exported module has in its constant `source`. */
  function sourceIn(code: string): string | undefined {
    const file = ts.createSourceFile("flow.ts", code, ts.ScriptTarget.Latest);
    const texts: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
      else if (ts.isTemplateExpression(node)) texts.push("a template that is evaluated");
      node.forEachChild(visit);
    };
    visit(file);
    return texts.length === 1 ? texts[0] : undefined;
  }

  it.each([
    ["a look-up", `# \${vars.tone}`],
    ["backquotes", "# `x`"],
    ["backslashes", `# \\n \\\` \\\${x}`],
    ["line ends of Windows", "# a\r\n# b\r\n"],
    ["a lone carriage return", "# a\rb"],
    ["separators of lines", "# a\u2028b"],
  ])("holds the text of the flow, also with %s", (_, comment) => {
    const text = `${agents}swarm: { flow: a }\n${comment}`;
    const { flow } = readSource(`${agents}swarm: { flow: a }\n`);
    expect(sourceIn(exportFlow({ text, flow }, "typescript").text)).toBe(text);
  });

  it("property: holds every text as it is", () => {
    const { flow } = readSource(`${agents}swarm: { flow: a }\n`);
    const anyText = fc
      .array(fc.constantFrom("`", "$", "{", "}", "\\", "\r", "\n", "\r\n", "a", "é", "\u2028", "'"))
      .map((signs) => signs.join(""));
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sourceIn(exportFlow({ text, flow }, "typescript").text)).toBe(text);
      }),
    );
  });

  it("names what the flow declares, and keeps its name in a comment of one line", () => {
    const { text } = exported(
      "name: \"a\\nb\\u2028c\"\nagents: { 'x\"y': {} }\nswarm: { flow: 'x\"y' }\n",
      "typescript",
    );
    expect(text.split("\n")[0]).toBe("// a b c: a module that runs on Swarmloom's core.");
    expect(text).toContain('export type Declared = "x\\"y";');
    expect(exportFlow({ text: "", flow: readSource("").flow }, "typescript").text).toContain("Declared = never;");
  });
});
