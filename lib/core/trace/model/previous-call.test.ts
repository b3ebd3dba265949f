import { expect, test } from "vitest";
import { toTrace } from "../file/run-file-trace";
import { sampleNode, sampleRunFile } from "../testing/run.samples";
import { findPreviousCall } from "./previous-call";
import type { RunNode } from "./run-state";

const visit = (id: number, name: string): RunNode => sampleNode(id, "agent", { parent: 1, name });
const call = (id: number, parent: number): RunNode => sampleNode(id, "llm_call", { parent });

/** The ids of the previous calls of some steps; 0: none. */
function previousIn(nodes: readonly RunNode[], ids: readonly number[]): number[] {
  const trace = toTrace(sampleRunFile([sampleNode(1, "swarm"), ...nodes]));
  return ids.map((id) => findPreviousCall(trace, id - 1) + 1);
}

test("is the call before in the same visit, else the last one of an earlier visit that made one", () => {
  const steps = [
    visit(2, "a"),
    call(3, 2),
    call(4, 2),
    visit(5, "b"),
    call(6, 5),
    visit(7, "a"),
    visit(8, "a"),
    call(9, 8),
  ];
  expect(previousIn(steps, [3, 4, 6, 9])).toEqual([0, 3, 0, 4]);
});

test("only model calls have one: no agent, no tool, and no step that does not exist", () => {
  const steps = [visit(2, "a"), call(3, 2), sampleNode(4, "tool_call", { parent: 2 }), call(5, 2), visit(6, "a")];
  expect(previousIn(steps, [1, 4, 6, 99])).toEqual([0, 0, 0, 0]);
  expect(previousIn(steps, [5])).toEqual([3]);
});

test("skips calls that began later in a visit at the same time", () => {
  expect(previousIn([visit(2, "a"), visit(3, "a"), call(4, 3), call(5, 2)], [4, 5])).toEqual([0, 0]);
});

test("a call outside of an agent follows its siblings only", () => {
  const group = (id: number) => sampleNode(id, "group", { parent: 1, name: "a" });
  expect(previousIn([group(2), call(3, 2), group(4), call(5, 4), call(6, 4)], [5, 6])).toEqual([0, 5]);
});
