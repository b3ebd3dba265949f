import { describe, expect, it } from "vitest";
import { namesIn } from "../../condition/condition";
import { parseCondition } from "../../condition/parse";
import { renamePins } from "../../flow/edit";
import { lookUpsIn } from "../../flow/template-variables";
import { applyChanges } from "../../flow/text-change";
import { applyEdit } from "../apply-edit";
import { readSource } from "../read-source";
import { diff, edited, problemsOf } from "./edits.arbitrary";

const rename = (text: string, from: string, to: string): string => edited(text, { type: "rename", from, to });
const agents = "agents:\n  writer: { model: demo:x }\n  critic: { model: demo:x }\n";

describe("a rename in conditions", () => {
  const withCondition = (written: string): string =>
    `${agents}branches:\n  check:\n    condition: ${written}\n    if_true: critic # keep\nswarm:\n  flow: writer >> check\n`;

  it.each([
    ["plain", "len(outputs.writer) > 3   # long", "len(outputs.poet) > 3   # long"],
    ["twice", "outputs.writer == outputs['writer']", "outputs.poet == outputs.poet"],
    ["in single quotes", `'outputs["writer"] == ''it''' # no`, `'outputs.poet == ''it''' # no`],
    [
      "in double quotes",
      `"outputs[\\"writer\\"] == \\"\\x41\\u00e9\\n\\"" # no`,
      `"outputs.poet == \\"\\x41\\u00e9\\n\\"" # no`,
    ],
    ["on lines", `|\n      input\n      and outputs.writer`, `|\n      input\n      and outputs.poet`],
    ["folded", `>-\n      input\n      and  outputs.writer`, `>-\n      input\n      and  outputs.poet`],
    ["over a line break", `input\n      and outputs.writer`, `input\n      and outputs.poet`],
    ["as words", `input == "outputs.writer"`, `input == "outputs.writer"`],
    ["as a variable", "vars.writer", "vars.writer"],
    ["with a mistake", "outputs.writer ==", "outputs.writer =="],
  ])("is made in place: %s", (_, before, after) => {
    expect(rename(withCondition(before), "writer", "poet")).toBe(
      withCondition(after).replace("  writer: {", "  poet: {").replace("writer >> check", "poet >> check"),
    );
  });

  const awkward = ["my agent", 'say "x"', "b\\s", "it's", "a: b", "a #b", "x]", "12", "{x}", "null", `\${x}`];
  const forms = [
    "outputs.writer == 1",
    `'outputs["writer"] == 1'`,
    `"outputs.writer == 1"`,
    "|\n      outputs.writer == 1",
    ">-\n      outputs.writer\n      == 1",
  ];
  it.each(forms.flatMap((form) => awkward.map((to) => [form, to])))("holds for %j to %j", (form, to) => {
    const read = (text: string) => {
      const control = readSource(text).flow.controls.get("check");
      const { expression } = parseCondition(control?.type === "branch" ? control.condition : "");
      return expression && namesIn(expression).map(({ name }) => name);
    };
    const text = withCondition(form);
    const after = rename(text, "writer", to);
    expect(read(after)).toEqual([to]);
    expect(problemsOf(after)).toEqual([]);
    expect(after).toContain("if_true: critic # keep\n");
    expect(read(rename(after, to, "writer"))).toEqual(["writer"]);
    const inBraces = text.replace(
      /branches:[\s\S]*\nswarm/,
      "branches: { check: { condition: outputs.writer == 1 } }\nswarm",
    );
    expect(read(rename(inBraces, "writer", to))).toEqual([to]);
  });

  it("reaches loops, and controls themselves", () => {
    const text = `${agents}loops:\n  l: { body: writer, while: not outputs.l }\n  m: { body: critic, for_each: 'json(outputs["l"])' }\nswarm: { flow: l >> m }\n`;
    expect(diff(text, rename(text, "l", "a loop")).fresh).toEqual([
      `  a loop: { body: writer, while: "not outputs[\\"a loop\\"]" }`,
      `  m: { body: critic, for_each: 'json(outputs["a loop"])' }`,
      "swarm: { flow: a loop >> m }",
    ]);
  });
});

describe("a rename in what is looked up", () => {
  const look = (name: string): string => `\${outputs.${name}}`;
  const withText = (written: string): string =>
    `agents:\n  writer: { model: demo:x }\n  critic:\n    instructions: ${written}\n    model: demo:x # keep\nswarm:\n  flow: writer >> critic\n`;

  it.each([
    ["plain", `Judge ${look("writer")}, ${look("writer2")} and ${look("writer")}.   # how`],
    ["in single quotes", `'It''s ${look("writer")}'`],
    ["in double quotes", `"\\"A\\"\\n${look("writer")}\\t\\u00e9"`],
    ["over escaped line breaks", `"one \\\n      two ${look("writer")}"`],
    ["on lines", `|\n      # Task\n\n      ${look("writer")}\n\n        deep ${look("writer")}\n`],
    ["kept", `|+\n      ${look("writer")}\n\n`],
    ["folded", `>\n      one\n      ${look("writer")}\n\n      two`],
    ["as a variable", `\${vars.writer} \${outputs.Writer}`],
  ])("is made in place: %s", (_, written) => {
    const text = withText(written);
    for (const to of ["poet", "my agent", "a|b", 'say "x"', "b\\s", "it's"]) {
      const after = rename(text, "writer", to);
      const instructions = (one: string) => readSource(one).flow.agents.get("critic")?.instructions ?? "";
      expect(instructions(after)).toBe(instructions(text).replaceAll(look("writer"), look(to)));
      expect(
        lookUpsIn(instructions(after)).filter((found) => found.type === "output" && found.name === "writer"),
      ).toEqual([]);
      expect(after).toContain("    model: demo:x # keep\n");
      // A name in double quotes has put the flow in quotes of its own.
      expect(rename(after, to, "writer").split("swarm:")[0]).toBe(text.split("swarm:")[0]);
    }
  });

  it("writes a plain text anew where the name means something else there", () => {
    const text = withText(`Judge ${look("writer")} # how`);
    expect(rename(text, "writer", "a #b")).toContain(`    instructions: "Judge ${look("a #b")}" # how\n`);
  });

  it("reaches routers and the old key for instructions", () => {
    const text = `agents:\n  - name: "writer"\n    model: demo:x\n  - name: critic\n    model: demo:x\n    system_prompt: See ${look("writer")}\nrouters:\n  r: { model: demo:x, instructions: 'Of ${look("writer")}', lanes: { a: critic } }\nswarm: { order: ['writer', r] }\n`;
    expect(rename(text, "writer", "a b")).toBe(text.replaceAll("writer", "a b"));
  });

  it("is refused where no look-up can hold the name", () => {
    const text = withText(`Judge ${look("writer")}`);
    expect(rename(text, "writer", "{x}")).toMatch(/^invalid-name: .*"critic"/);
    expect(rename(text, "critic", "{x}")).toContain('  "{x}":\n');
  });

  it("changes a text that an alias repeats once", () => {
    const text = `agents:\n  writer: { instructions: &i 'Of ${look("writer")}', model: demo:x }\n  critic: { instructions: *i, model: demo:x }\nswarm: { flow: writer >> critic }\n`;
    expect(rename(text, "writer", "it's")).toBe(
      text.replace(look("writer"), look("it''s")).replaceAll("writer", "it's"),
    );
  });
});

describe("a rename", () => {
  it("never makes a text of one name empty", () => {
    for (const to of ["null", "~", "Null", "true", "12"]) {
      const after = rename(`${agents}swarm:\n  flow: writer\n`, "writer", to);
      expect(readSource(after).flow.swarm.flow).toMatchObject({ type: "name", name: to });
    }
  });

  it("moves the pins of the name and of all that it holds", () => {
    const text = `${agents}loops:\n  l: { body: writer >> critic, count: 2 }\nswarm: { flow: l }\n`;
    const pin = { dx: 4, dy: 8 };
    const layout = { pins: { l: pin, "l/writer": pin, critic: pin } };
    const result = applyEdit(readSource(text), layout, { type: "rename", from: "l", to: "a/b" });
    if (!result.ok) throw new Error(result.problem.message);
    expect(result.layout.pins).toEqual({ "a%2Fb": pin, "a%2Fb/writer": pin, critic: pin });
    expect(renamePins(result.layout, "a/b", "l")).toEqual(layout);
    expect(applyChanges(text, result.changes)).toContain("  a/b: { body");
  });
});
