import { describe, expect, it } from "vitest";
import type { Edit } from "../../flow/edit";
import { readSource } from "../read-source";
import { assertOthersKept } from "./check-result";

const root = { type: "root" } as const;
const file = (agents: string, rest = "") => `${rest}agents:\n${agents}swarm:\n  flow: a >> b\n`;
const before = file("  a: { model: x }\n  b: { model: y }\n", "vars: { n: 3 }\n");
const check = (after: string, edit: Edit) => () => assertOthersKept(readSource(before), readSource(after), edit);

describe("the result of an edit", () => {
  const setA: Edit = { type: "set-agent-field", name: "a", field: "model", value: "z" };
  const addC: Edit = { type: "add-agent", name: "c", scope: root };
  it.each<[string, string, Edit, RegExp | null]>([
    [
      "a declaration that is not named is gone",
      file("  a: { model: z }\n", "vars: { n: 3 }\n"),
      setA,
      /"b" would be lost/,
    ],
    ["another one changes", before.replace("model: y", "model: z"), setA, /"b" would change/],
    ["a variable changes", before.replace("n: 3", "n: 4"), setA, /variable "n" would change/],
    ["the flow changes", before.replace("a >> b", "b >> a"), setA, /The flow would change/],
    ["the text cannot be read", "{", setA, /could not be read/],
    ["a declaration cannot be read", before.replace("{ model: y }", "{ model: y"), addC, /part of the file/],
    ["a section is gone", before.slice(0, before.indexOf("swarm:")), addC, /`swarm` would be lost/],
    ["what is named changes", before.replace("model: x", "model: z"), setA, null],
    [
      "what is deleted is gone",
      file("  a: { model: x }\n", "vars: { n: 3 }\n").replace(" >> b", ""),
      { type: "delete-nodes", scope: root, names: ["b"], declarations: true },
      null,
    ],
    [
      "a user writes a mistake",
      before.replace("a >> b", "a >>"),
      { type: "set-flow-text", scope: root, text: "a >>" },
      null,
    ],
  ])("when %s", (_, after, edit, message) => {
    const result = expect(check(after, edit));
    if (message) result.toThrow(message);
    else result.not.toThrow();
  });
});
