import { describe, expect, it } from "vitest";
import { applyEdit } from "../source/apply-edit";
import { readSource } from "../source/read-source";
import { numberAgents } from "./agent-numbers";
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

describe("numberAgents", () => {
  it("follows the declarations, whatever the order of the flow", () => {
    expect(Object.fromEntries(numberAgents(readSource(text).flow))).toEqual({ a: 0, b: 1, c: 2 });
  });

  it("is kept by a rename, also by one that changes the order of names", () => {
    expect(numbersAfter({ type: "rename", from: "b", to: "zoe" })).toEqual({ a: 0, zoe: 1, c: 2 });
  });

  it("gives an added agent the next number, wherever it is inserted", () => {
    const scope = { type: "root" } as const;
    expect(numbersAfter({ type: "add-agent", name: "d", scope, after: "c" })).toEqual({ a: 0, b: 1, c: 2, d: 3 });
  });

  it("gives eight agents eight numbers", () => {
    const agents = Array.from({ length: 8 }, (_, index) => `agent_${index}: {}`).join(", ");
    expect([...numberAgents(readSource(`agents: { ${agents} }\n`).flow).values()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});
