import { expect, test } from "vitest";
import type { Json } from "../../flow/flow";
import { toOfferedTools } from "./offered-tools";

const parameters = { type: "object", properties: { x: { type: "number" } } };
const add = { name: "add", description: "Adds." };

test.each<[string, Json]>([
  ["OpenAI", { type: "function", function: { ...add, parameters } }],
  ["Anthropic", { ...add, input_schema: parameters }],
  ["Google", { functionDeclarations: [{ ...add, parametersJsonSchema: parameters }] }],
  ["the demo", { ...add, parameters }],
])("reads the tools as %s is offered them", (_, tool) => {
  expect(toOfferedTools([tool])).toEqual([{ ...add, parameters }]);
});

test.each<Json | undefined>([undefined, null, {}, [null, 1, "x"]])("none in %j", (tools) => {
  expect(toOfferedTools(tools)).toEqual([]);
});

test("a tool without a name is listed, without what it lacks", () => {
  expect(toOfferedTools([{ description: 7 }])).toEqual([{ name: "" }]);
});
