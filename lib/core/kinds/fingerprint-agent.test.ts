import { expect, it } from "vitest";
import { packReading } from "../source/read/pack-reading";
import { unpackReading } from "../source/read/unpack-reading";
import { readSource } from "../source/read-source";
import { fingerprintAgent } from "./fingerprint-agent";

const fields = [
  "model: demo:writer",
  "instructions: Write.",
  "tools: [calculator]",
  "output_schema: { type: object, properties: { title: { type: string } } }",
];
const toSource = (agentFields: readonly string[]): string =>
  `agents:\n  a:\n${agentFields.map((field) => `    ${field}\n`).join("")}swarm: { flow: a }\n`;
const fingerprintOf = (source: string) => fingerprintAgent(readSource(source).flow, "a");

it("is the same for the same settings, in whatever order, and however the flow was read", () => {
  const source = toSource(fields);
  expect(fingerprintOf(toSource(fields.toReversed()))).toBe(fingerprintOf(source));
  expect(fingerprintOf(`${source}\n# A comment.\nname: Other\n`)).toBe(fingerprintOf(source));
  const { flow } = unpackReading(source, packReading(readSource(source)));
  expect(fingerprintAgent(flow, "a")).toBe(fingerprintOf(source));
});

it("differs as soon as one setting does", () => {
  for (const other of ["model: demo:critic", "instructions: Write it.", "tools: []", "max_steps: 3"]) {
    const [key] = other.split(":");
    const changed = [...fields.filter((field) => !field.startsWith(`${key}:`)), other];
    expect(fingerprintOf(toSource(changed))).not.toBe(fingerprintOf(toSource(fields)));
  }
  expect(fingerprintAgent(readSource(toSource(fields)).flow, "b")).toBeNull();
});
