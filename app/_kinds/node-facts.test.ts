import { describe, expect, it } from "vitest";
import { readSource } from "@/lib/core/source/read-source";
import { describeNode } from "./node-facts";

const { flow } = readSource(`agents:
  writer: { model: "demo:x", instructions: "Write it.", tools: [calculator, clock] }
  critic: { model: "demo:x" }
groups:
  pair: { type: parallel, flow: writer | critic }
loops:
  again: { body: pair, count: 3 }
swarm: { flow: again }
`);
const read = (name: string) => {
  const { kind, facts } = describeNode(flow, name);
  return [kind, ...facts.map(({ label, text }) => `${label}: ${text}`)];
};

describe("a node to read", () => {
  it("has what it is set to, and nothing that is empty", () => {
    expect(read("writer")).toEqual(["Agent", "Model: demo:x", "Instructions: Write it.", "Tools: calculator, clock"]);
    expect(read("critic")).toEqual(["Agent", "Model: demo:x"]);
    expect(read("again")).toContain("Body: pair");
    expect(read("pair")).toContain("Members: writer, critic");
    expect(read("nothing")).toEqual(["Unknown"]);
  });
});
