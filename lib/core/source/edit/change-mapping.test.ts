import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout } from "../../flow/edit";
import type { Json, JsonSchema } from "../../flow/flow";
import { changeField } from "../../flow/schema-fields";
import { applyChanges } from "../../flow/text-change";
import { applyEdit } from "../apply-edit";
import { readSource } from "../read-source";

const block = `agents:
  a:
    model: demo:a
    output_schema: # what comes out
      type: object
      properties:
        title: { type: string } # short
        # how it feels
        mood:
          type: string
          enum: [calm, loud]
      required: [title]
swarm: { flow: a }
`;
const inline = `agents: { a: { model: "demo:a", output_schema: { type: object, properties: { title: { type: string } } } } }
swarm: { flow: a }
`;

function set(text: string, value: Json): string {
  const edit = { type: "set-agent-field", name: "a", field: "output_schema", value } as const;
  const result = applyEdit(readSource(text), emptyLayout, edit);
  if (!result.ok) throw new Error(result.problem.message);
  return applyChanges(text, result.changes);
}
const schemaIn = (text: string): JsonSchema => readSource(text).flow.agents.get("a")?.output_schema ?? {};

describe("a change of a schema", () => {
  it("renames a field on its own line, and keeps every comment", () => {
    const wanted = changeField(schemaIn(block), ["mood"], { type: "rename", to: "tone" });
    expect(set(block, wanted)).toBe(block.replace("mood:", "tone:"));
  });

  it("takes out and puts in single lines", () => {
    const described = changeField(schemaIn(block), ["mood"], { type: "set-description", to: "How it feels" });
    expect(set(block, described)).toBe(
      block.replace("enum: [calm, loud]", "enum: [calm, loud]\n          description: How it feels"),
    );
    expect(set(set(block, described), schemaIn(block))).toBe(block);
    const added = changeField(schemaIn(block), [], { type: "add", name: "note" });
    expect(set(block, added)).toBe(
      block.replace("[calm, loud]\n", "[calm, loud]\n        note:\n          type: string\n"),
    );
  });

  it("stays in braces where it is in braces", () => {
    const added = changeField(schemaIn(inline), [], { type: "add", name: "note" });
    expect(set(inline, added)).toBe(
      inline.replace("title: { type: string }", "title: { type: string }, note: { type: string }"),
    );
  });

  it("has the target value, whatever was written before", () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    const schema = fc.dictionary(fc.constantFrom("a", "b", "c", "type", "x y"), json, { noNullPrototype: true });
    const texts = fc.constantFrom(block, inline);
    fc.assert(
      fc.property(texts, schema, (text, wanted) => {
        const value: Json = JSON.parse(JSON.stringify(wanted));
        const changed = set(text, value);
        expect(JSON.stringify(schemaIn(changed))).toBe(JSON.stringify(value));
        expect(changed.slice(0, 8)).toBe("agents: ".slice(0, text === inline ? 8 : 7) + (text === inline ? "" : "\n"));
        expect(changed.endsWith("swarm: { flow: a }\n")).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
