import { expect, test } from "vitest";
import { readTools } from "./read-tools";

const parameters = { type: "object", properties: { x: { type: "number" } } };
const add = { name: "add", description: "Adds." };

test.each<[string, object]>([
  ["OpenAI", { tools: [{ type: "function", function: { ...add, parameters } }] }],
  ["Anthropic", { tools: [{ ...add, input_schema: parameters }] }],
  ["Google", { tools: [{ functionDeclarations: [{ ...add, parametersJsonSchema: parameters }] }] }],
  ["the demo", { tools: [{ ...add, parameters }] }],
])("reads the tools as %s is offered them", (_, body) => {
  expect(readTools(JSON.stringify(body))).toEqual([{ ...add, parameters }]);
});

test.each(["{}", '{"tools":null}', '{"tools":[null,1,"x"]}'])("none in %s", (body) => {
  expect(readTools(body)).toEqual([]);
});

test.each(["", "no JSON", "[1]", '{"tools":['])("null for %j", (body) => {
  expect(readTools(body)).toBeNull();
});
