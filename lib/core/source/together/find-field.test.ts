import { expect, test } from "vitest";
import { readSource } from "../read-source";
import { findChoiceAt } from "./find-field";

const source = `name: Shared
vars:
  retries: 3
  tone: mild
limits:
  max_cost: 2
agents:
  a:
    model: "demo:writer"
    fallback_model: demo:one # cheaper
    instructions: |-
      max_steps: 4
    max_steps: 5
    tools:
      - calculator
  b: { needs_approval: [x, y], temperature: 0.5 }
swarms:
  team: { type: parallel, max_concurrent: 6, agents: [a, b] }
loops:
  again: { count: 8, body: a }
swarm:
  type: orchestrator
  max_agents: 7
  flow: a >> b
`;

/** The field at the last place of a part of the text. */
function choiceAt(part: string): [key: string, text: string] | null {
  const start = source.lastIndexOf(part);
  const choice = findChoiceAt(readSource(source), { from: start, to: start + part.length });
  return choice && [choice.key, source.slice(choice.range.from, choice.range.to)];
}

test.each([
  ["Shared", "name", "Shared"],
  ["3", "retries", "3"],
  ["2", "max_cost", "2"],
  ["writer", "model", '"demo:writer"'],
  ["one", "fallback_model", "demo:one"],
  ["5\n", "max_steps", "5"],
  ["calculator", "tools", "- calculator"],
  ["[x, y]", "needs_approval", "[x, y]"],
  ["0.5", "temperature", "0.5"],
  ["parallel", "type", "parallel"],
  ["6", "max_concurrent", "6"],
  ["8", "count", "8"],
  ["orchestrator", "type", "orchestrator"],
  ["7", "max_agents", "7"],
])("%j is in the value of %s", (part, key, value) => {
  expect(choiceAt(part)?.[0]).toBe(key);
  expect(choiceAt(part)?.[1].trim()).toBe(value);
});

test.each(["mild", "4", "a >> b", "body", "a }", "# cheaper", "fallback_model", "agents"])(
  "%j is in no value that is replaced as a whole",
  (part) => {
    expect(choiceAt(part)).toBeNull();
  },
);
