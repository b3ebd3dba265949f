import { expect, test } from "vitest";
import { readSource } from "@/lib/core/source/read-source";
import { findLastAgents } from "./find-last-agents";

const flowOf = (swarm: string): string => `agents: { a: { model: x }, b: { model: x }, c: { model: x } }
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
  ["{ flow: c >> both }", ["a", "b"]],
  ["{ flow: a >> outer }", ["a", "b"]],
  ["{ flow: a >> gate }", []],
  ["{ flow: a >> (b | gate) }", []],
  ["{ flow: a >> self }", []],
  ["{ flow: a >> nobody }", []],
  ["{ type: handoff, agents: [a, b] }", []],
])("of %s", (swarm, names) => expect(findLastAgents(readSource(flowOf(swarm)).flow)).toEqual(names));
