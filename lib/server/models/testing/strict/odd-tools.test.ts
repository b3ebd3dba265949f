import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { ToolSpec } from "@/lib/core/run/ports/model";
import { createModelPort } from "../../model-port";
import { doneIn, readAll, requestOf } from "../read";
import { toServiceEnv } from "./service-env";
import { strictServices } from "./services";
import { type StrictServer, startStrictServer } from "./strict-server";

/** Parameters as tools of others declare them: what one provider takes, another one refuses. */
const parameters: Record<string, JsonSchema> = {
  nothing: {},
  "an object without properties": { type: "object" },
  "alternatives at the root": {
    type: "object",
    oneOf: [{ required: ["a"] }, { required: ["b"] }],
    properties: { a: {}, b: {} },
  },
  "a list without items": { type: "object", properties: { names: { type: "array" } } },
  "a list of different items": {
    type: "object",
    properties: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }] } },
  },
  "a type beside alternatives": {
    type: "object",
    properties: { id: { type: "string", description: "The id.", anyOf: [{ type: "string" }, { type: "number" }] } },
  },
  "references to definitions": {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { place: { $ref: "#/definitions/place", description: "Where." } },
    definitions: { place: { type: "object", properties: { name: { type: "string" } } } },
  },
  "bounds of before Draft 6": {
    type: "object",
    properties: { ttl: { type: "integer", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } },
  },
};

const tools = Object.entries(parameters).map(
  ([description, schema], index): ToolSpec => ({
    name: `tool_${index}`,
    description,
    parameters: schema,
  }),
);

describe.each([...strictServices])("%s", (_, service) => {
  let server: StrictServer;
  beforeAll(async () => {
    server = await startStrictServer(service);
  });
  afterAll(() => server.close());

  it.each(tools)("takes a tool with $description", async (tool) => {
    const { provider, models } = service;
    const found = createModelPort(toServiceEnv(service, server.url)).find(`${provider}:${models.current}`);
    if (!found) throw new Error("the model was not found");
    const request = requestOf({ model: models.current, tools: [tool], user: "Call the tool." });
    doneIn(await readAll(found.model, request));
    expect(server.takeUnexpected()).toEqual([]);
  });
});
