import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSource } from "../read-source";
import { edited } from "./edits.arbitrary";

const look = (name: string): string => `\${${name}}`;
const text = `name: Vars
vars:
  tone: friendly # how it sounds
  length: 300
agents:
  a: { model: "demo:a", instructions: "Be ${look("vars.tone")}, not ${look("vars.length")} or ${look("outputs.tone")}." }
branches:
  short: { condition: 'vars.tone == "calm" and vars["tone"] != input', if_true: a }
routers:
  route: { model: "demo:a", instructions: "Think ${look("vars.tone")}", lanes: { one: { when: x, flow: b } } }
swarm: { flow: short }
`;

describe("set-var", () => {
  const set = (name: string, value?: string | number | boolean, from = text): string =>
    edited(from, { type: "set-var", name, ...(value !== undefined && { value }) });

  it("changes one line and keeps its comment", () => {
    expect(set("tone", "calm")).toBe(text.replace("friendly", "calm"));
    expect(set("length", false)).toBe(text.replace("300", "false"));
    expect(set("new one", "a: b")).toBe(text.replace("  length: 300\n", '  length: 300\n  new one: "a: b"\n'));
  });

  it("keeps a text a text, whatever it looks like", () => {
    expect(readSource(set("tone", "300")).flow.vars.get("tone")).toBe("300");
    expect(readSource(set("tone", "true")).flow.vars.get("tone")).toBe("true");
  });

  it("takes a variable out, and the section with the last one", () => {
    expect(set("tone")).toBe(text.replace("  tone: friendly # how it sounds\n", ""));
    expect(edited(text, { type: "set-var", name: "tone" }, { type: "set-var", name: "length" })).not.toContain("vars:");
    expect(set("gone")).toBe(text);
  });

  it("begins the section where it belongs", () => {
    const bare = "name: Bare\nagents:\n  a: {}\n";
    expect(set("tone", "calm", bare)).toBe("name: Bare\nvars:\n  tone: calm\nagents:\n  a: {}\n");
  });

  it("refuses a name that cannot be looked up", () => {
    expect(set("a}b", "x")).toMatch(/^invalid-name: /);
    expect(set(" a", "x")).toMatch(/^invalid-name: /);
  });

  it("whatever is set is read back", () => {
    const values = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
    fc.assert(
      fc.property(values, (value) => {
        const wanted = typeof value === "string" ? value.replaceAll("\r", "") : value;
        expect(readSource(set("tone", wanted)).flow.vars.get("tone")).toEqual(wanted === 0 ? 0 : wanted);
      }),
      { numRuns: 100 },
    );
  });
});

describe("rename-var", () => {
  const rename = (from: string, to: string): string => edited(text, { type: "rename-var", from, to });

  it("changes where it is set, looked up and compared, and nothing else", () => {
    expect(rename("tone", "mood")).toBe(
      text
        .replace("tone: friendly", "mood: friendly")
        .replaceAll(look("vars.tone"), look("vars.mood"))
        .replace('vars.tone == "calm" and vars["tone"]', 'vars.mood == "calm" and vars.mood'),
    );
  });

  it("there and back leaves no other name", () => {
    const there = edited(text, { type: "rename-var", from: "length", to: "long one" });
    expect(there).toContain(look("vars.long one"));
    expect(edited(there, { type: "rename-var", from: "long one", to: "length" })).toBe(text);
  });

  it("refuses a name that is taken, wrong or gone", () => {
    expect(rename("tone", "length")).toMatch(/^name-taken: /);
    expect(rename("tone", "a{")).toMatch(/^invalid-name: /);
    expect(rename("gone", "x")).toMatch(/^unknown-variable: /);
    expect(rename("tone", "tone")).toBe(text);
  });
});

describe("set-flow-description", () => {
  const setDescription = (words: string, from = text): string =>
    edited(from, { type: "set-flow-description", text: words });

  it("follows the name, changes its own lines, and goes again", () => {
    const described = setDescription("What it is for");
    expect(described).toBe(text.replace("name: Vars\n", "name: Vars\ndescription: What it is for\n"));
    expect(readSource(described).flow.description).toBe("What it is for");
    expect(setDescription("Two\nlines: yes", described)).toBe(
      text.replace("name: Vars\n", "name: Vars\ndescription: |-\n  Two\n  lines: yes\n"),
    );
    expect(setDescription("", described)).toBe(text);
    expect(setDescription("")).toBe(text);
  });
});
