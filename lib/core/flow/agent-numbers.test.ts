import { describe, expect, it } from "vitest";
import { applyEdit } from "../source/apply-edit";
import { readSource } from "../source/read-source";
import { AgentNumbers, numberAgents } from "./agent-numbers";
import { type Edit, emptyLayout } from "./edit";
import { applyChanges } from "./text-change";

const text = `agents:
  a: { model: "demo:a" }
  b: { model: "demo:b" }
  c: { model: "demo:c" }
swarm: { flow: c >> b >> a }
`;

function numbersAfter(edit: Edit): Record<string, number> {
  const document = readSource(text);
  const result = applyEdit(document, emptyLayout, edit);
  if (!result.ok) throw new Error(result.problem.message);
  return Object.fromEntries(numberAgents(readSource(applyChanges(text, result.changes)).flow));
}

const numbersOf = (names: string): Record<string, number> => Object.fromEntries(new AgentNumbers(names).byName);
const scope = { type: "root" } as const;

describe("the number of an agent", () => {
  it("follows the names, whatever the order of the declarations and of the flow", () => {
    const expected = { a: 4, b: 5, c: 2 };
    expect(Object.fromEntries(numberAgents(readSource(text).flow))).toEqual(expected);
    expect(numbersOf("cba")).toEqual(expected);
  });

  it("is kept by the others when the first agent is deleted", () => {
    const edit: Edit = { type: "delete-nodes", scope, names: ["a"], declarations: true };
    expect(numbersAfter(edit)).toEqual({ b: 5, c: 2 });
  });

  it("is kept by the others when an agent is renamed or added", () => {
    expect(numbersAfter({ type: "rename", from: "b", to: "d" })).toEqual({ a: 4, d: 3, c: 2 });
    expect(numbersAfter({ type: "add-agent", name: "d", scope, after: "c" })).toEqual({ a: 4, b: 5, c: 2, d: 3 });
  });

  it("is the next free one where an earlier agent has it, and begins again after the last", () => {
    expect(numbersOf("aib")).toEqual({ a: 4, i: 5, b: 6 });
    expect(numbersOf("hp")).toEqual({ h: 7, p: 0 });
  });

  it("comes again only when all eight are taken", () => {
    const { byName } = new AgentNumbers(Array.from({ length: 20 }, (_, index) => `agent_${index}`));
    const numbers = [...byName.values()];
    expect(new Set(numbers.slice(0, 8)).size).toBe(8);
    expect(new Set(numbers.slice(8, 16)).size).toBe(8);
    expect(Math.max(...numbers)).toBe(7);
  });

  it("stays when a name comes again", () => {
    const numbers = new AgentNumbers("ab");
    numbers.add("a");
    expect([...numbers.byName]).toEqual([
      ["a", 4],
      ["b", 5],
    ]);
  });
});
