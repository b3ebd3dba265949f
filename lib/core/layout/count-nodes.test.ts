import { expect, it } from "vitest";
import { emptyLayout } from "../flow/edit";
import { readSource } from "../source/read-source";
import { arrangeFlow } from "./arrange-flow";
import { countNodes } from "./count-nodes";

const agents = ["a", "b", "c"].map((name) => `  ${name}: { model: "demo:x" }\n`).join("");
const flows = {
  chain: `agents:\n${agents}swarm: { flow: a >> b }\n`,
  groups: `agents:\n${agents}groups:\n  g: { type: parallel, flow: a | b }\n  h: { type: serial, flow: g >> c }\nswarm: { flow: h >> g >> h }\n`,
  branch: `agents:\n${agents}branches:\n  check: { if: 'output contains "x"', then: a >> b, else: c }\nswarm: { flow: check >> a }\n`,
  circle: `agents:\n${agents}groups:\n  g: { type: serial, flow: a >> h }\n  h: { type: serial, flow: b >> g }\nswarm: { flow: g }\n`,
  unknown: "swarm: { flow: x >> y >> z }\n",
  team: `agents:\n${agents}swarm: { type: team, agents: [a, b, c] }\n`,
  empty: "",
};

it.each(Object.entries(flows))("as many nodes are counted as are arranged: %s", (_name, source) => {
  const { flow } = readSource(source);
  const folded = { ...emptyLayout, folded: ["h"] };
  for (const layout of [emptyLayout, folded])
    expect(countNodes(flow, layout, 1_000)).toBe(arrangeFlow(flow, layout).nodes.length);
});

it("what contains itself in several ways is counted up to the limit", () => {
  const groups = Array.from(
    { length: 100 },
    (_, i) => `  g${i}: { type: serial, flow: g${(i + 1) % 100} >> g${(7 * i) % 100} }\n`,
  ).join("");
  const { flow } = readSource(`groups:\n${groups}swarm: { flow: g0 }\n`);
  expect(countNodes(flow, emptyLayout, 2_500)).toBeGreaterThan(2_500);
  expect(countNodes(flow, emptyLayout, 2_500)).toBeLessThan(2_600);
});
