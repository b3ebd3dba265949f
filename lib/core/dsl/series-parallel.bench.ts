import { bench, describe } from "vitest";
import { Graph } from "../flow/graph";
import { fromGraph } from "./series-parallel";

/** Diamonds in a row: `count` links. */
function drawLinks(count: number): [string, string][] {
  return Array.from({ length: Math.floor(count / 4) }, (_, i): [string, string][] => [
    [`n${i}`, `a${i}`],
    [`n${i}`, `b${i}`],
    [`a${i}`, `n${i + 1}`],
    [`b${i}`, `n${i + 1}`],
  ]).flat();
}

describe("decomposing a drawing", () => {
  for (const count of [1000, 10_000, 100_000]) {
    const links = drawLinks(count);
    const text = Graph.of([], links);
    const draft = Graph.of([], [...links, ["a0", "x"], ["y", `b${Math.floor(count / 4) - 1}`]]);
    bench(`${count} links that a text can express`, () => {
      fromGraph(text);
    });
    bench(`${count} links with a forbidden N`, () => {
      fromGraph(draft);
    });
  }
});
