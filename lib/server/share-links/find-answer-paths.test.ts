import { expect, test } from "vitest";
import { readSource } from "@/lib/core/source/read-source";
import { findAnswerPaths } from "./find-answer-paths";

const flowOf = (swarm: string): string => `agents:
  a: { model: x }
  b: { model: x }
  c: { model: x }
  tooled: { model: x, tools: [http_request] }
  shaped: { model: x, output_schema: { type: object } }
groups:
  both: { type: parallel, flow: a | b }
  outer: { type: serial, agents: [c, both] }
  self: { type: serial, agents: [self] }
approvals:
  gate: { message: Go on? }
swarm: ${swarm}
`;

test.each([
  ["{ flow: a >> b }", ["b"]],
  ["{ flow: a >> (b | c) }", ["b", "c"]],
  ["{ flow: c >> both }", ["both/a", "both/b"]],
  ["{ flow: both >> a }", ["a"]],
  ["{ flow: c >> (both | a) }", ["both/a", "both/b", "a"]],
  ["{ flow: a >> outer }", ["outer/both/a", "outer/both/b"]],
  ["{ flow: a >> (b | tooled | shaped) }", ["b"]],
  ["{ flow: a >> gate }", []],
  ["{ flow: a >> (b | gate) }", []],
  ["{ flow: a >> self }", []],
  ["{ flow: a >> nobody }", []],
  ["{ type: handoff, agents: [a, b] }", []],
  ["{ type: handoff, agents: [a, b], flow: a >> b }", []],
])("of %s", (swarm, paths) => expect(findAnswerPaths(readSource(flowOf(swarm)).flow)).toEqual(paths));
