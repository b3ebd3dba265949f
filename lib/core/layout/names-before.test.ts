import { describe, expect, it } from "vitest";
import { emptyLayout } from "../flow/edit";
import { readSource } from "../source/read-source";
import { arrangeFlow } from "./arrange-flow";
import { namesBefore } from "./names-before";

const names = ["a", "b", "c", "d", "e", "x", "y"];
const { flow } = readSource(`agents:
${names.map((name) => `  ${name}: { model: "demo:${name}" }`).join("\n")}
groups:
  pair: { type: parallel, flow: "x | y" }
loops:
  refine: { body: c >> d, count: 2 }
swarm: { flow: a >> (b | pair) >> refine >> e }
`);
const arrangement = arrangeFlow(flow, emptyLayout);
const earlier = (key: string): string[] => namesBefore(arrangement, key).toSorted();

describe("namesBefore", () => {
  it("lists the predecessors with their content", () => {
    expect(earlier("a")).toEqual([]);
    expect(earlier("b")).toEqual(["a"]);
    expect(earlier("e")).toEqual(["a", "b", "c", "d", "pair", "refine", "x", "y"]);
  });

  it("lists, for a member, also the predecessors of its container", () => {
    expect(earlier("pair/x")).toEqual(["a"]);
    expect(earlier("refine/d")).toEqual(expect.arrayContaining(["a", "b", "c", "pair", "x", "y"]));
    expect(earlier("refine/d")).not.toContain("refine");
    expect(earlier("refine/d")).not.toContain("e");
  });
});
