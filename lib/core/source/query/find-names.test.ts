import { describe, expect, it } from "vitest";
import { readSource } from "../read-source";
import { findName, nameWrittenAt } from "./find-names";

const text = `agents:
  ann: { model: x }
  "my agent": { model: x }
groups:
  review: { type: parallel, flow: ann | "my agent" }
swarms:
  desk: { type: handoff, agents: [ann, my agent], edges: [[ann, my agent]] }
swarm: { flow: review >> desk }
`;
const document = readSource(text);
const textAt = ({ from, to }: { from: number; to: number }) => text.slice(from, to);

describe("names in a flow file", () => {
  it("are found where they are declared and wherever they are members", () => {
    const { declaration, references } = findName(document, "my agent");
    expect(declaration && textAt(declaration)).toBe('"my agent"');
    expect(references.map(textAt)).toEqual(['"my agent"', "my agent", "my agent"]);
    expect(findName(document, "ghost")).toEqual({ declaration: null, references: [] });
  });

  it.each([
    ["  ann:", 3, "ann"],
    ["flow: ann", 7, "ann"],
    ['| "my', 4, "my agent"],
    ["[[ann, my", 8, "my agent"],
    [">> desk", 5, "desk"],
    ["model: x", 2, null],
    ["type: handoff", 8, null],
  ])("are known at their place: %s", (around, by, name) => {
    expect(nameWrittenAt(document, text.indexOf(around) + by)?.name ?? null).toBe(name);
  });
});
