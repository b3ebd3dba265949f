import { expect, test } from "vitest";
import type { NodeKind, RunEvent } from "@/lib/core/run/events";
import { emptyRunState, foldEvents } from "@/lib/core/trace/fold";
import { agentsBelow } from "./agents-below";

const start = (id: number, kind: NodeKind, parent?: number): RunEvent => ({
  seq: id,
  at: id,
  type: "node.started",
  id,
  ...(parent === undefined ? {} : { parent }),
  path: `p${id}`,
  kind,
  name: `n${id}`,
  input: { text: "" },
});

const state = foldEvents(emptyRunState, [
  start(1, "swarm"),
  start(2, "agent", 1),
  start(3, "group", 1),
  start(4, "llm_call", 2),
  start(5, "agent", 3),
  start(6, "swarm", 3),
  start(7, "agent", 6),
]);
const ids = (id: number): number[] => agentsBelow(state, id).map((node) => node.id);

test("agents at any depth, in order of starting, never the node itself", () => {
  expect(ids(1)).toEqual([2, 5, 7]);
  expect(ids(3)).toEqual([5, 7]);
  expect(ids(5)).toEqual([]);
  expect(ids(99)).toEqual([]);
});
