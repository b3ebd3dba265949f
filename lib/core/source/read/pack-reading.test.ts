import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { block } from "./controls.arbitrary";
import { packReading } from "./pack-reading";
import { anyFlow } from "./source.arbitrary";
import { unpackReading } from "./unpack-reading";

const hostileSchema = `agents:
  a:
    model: demo:writer
    output_schema: { type: object, properties: { __proto__: { type: string }, constructor: { type: number } } }
swarm:
  flow: a
`;

const sendReading = (text: string) => {
  const document = readSource(text, { providers: [], tools: [] });
  return { document, received: unpackReading(text, packReading(document)) };
};

function expectSameReading(text: string): void {
  const { document, received } = sendReading(text);
  const { flow, problems, broken, unreadableRanges, unreadRootFlow } = document;
  expect(received).toEqual({ text, flow, problems, broken, unreadableRanges, unreadRootFlow });
}

describe("packReading", () => {
  it("keeps everything that a flow file says", () => {
    fc.assert(
      fc.property(anyFlow, (flow) => expectSameReading(writeSource(flow))),
      { numRuns: 60 },
    );
  });

  it.each([
    ["routers, whose lanes have names", block],
    ["a text that cannot be read", "agents: {a: ["],
    ["an empty text", ""],
    ["a schema with keys that objects must not have", hostileSchema],
  ])("keeps %s", (_, text) => expectSameReading(text));

  it("leaves out what has its default", () => {
    const [one, two] = [1, 2].map((count) => {
      const names = Array.from({ length: count }, (_, index) => `agent${index}`);
      const agents = names.map((name) => `  ${name}: { model: demo:writer }\n`).join("");
      return packReading(readSource(`agents:\n${agents}swarm:\n  type: team\n  agents: [agent0]\n`)).length;
    });
    expect((two ?? 0) - (one ?? 0)).toBeLessThan(250);
  });
});
