import "server-only";
import { z } from "zod";
import { components } from "./answers";
import { type Operation, successOf } from "./operation";
import { listOperations, type NamedOperation } from "./operations";

type JsonObject = Record<string, unknown>;

/** An OpenAPI document as far as its readers need to know. */
export interface OpenApi {
  openapi: string;
  info: JsonObject;
  servers: { url: string }[];
  tags: { name: string }[];
  security: JsonObject[];
  paths: Record<string, Record<string, JsonObject>>;
  components: { schemas: Record<string, JsonObject>; responses: JsonObject; securitySchemes: JsonObject };
}

let document: OpenApi | null = null;

/** The OpenAPI 3.1 document of `/api/v1`, made from the schemas with which the routes read requests. */
export function getOpenApi(): OpenApi {
  document ??= writeOpenApi();
  return document;
}

function writeOpenApi(): OpenApi {
  const operations = listOperations();
  const schemas = new SchemaWriter();
  const paths: OpenApi["paths"] = {};
  for (const named of operations) {
    const { path, method } = named.operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: writeOperation(named, schemas) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Swarmloom",
      version: "1",
      description: "Bodies are JSON. A client sends an API key of its team as `Authorization: Bearer swl_…`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api/v1" }],
    tags: [...new Set(operations.map(({ part }) => part))].map((name) => ({ name })),
    security: [{ key: [] }],
    paths,
    components: {
      schemas: { ...schemas.named, Error: errorSchema },
      responses: { Error: { description: "Why it was refused.", content: toContent(refer("Error")) } },
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key, which has scopes." } },
    },
  };
}

const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "string" }, message: { type: "string" }, details: {} },
    },
  },
};

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const toContent = (schema: JsonObject, media = "application/json") => ({ [media]: { schema } });

function writeOperation({ name, part, operation }: NamedOperation, schemas: SchemaWriter): JsonObject {
  const { summary, permission, access, body, otherStatus } = operation;
  const success = { description: "Done.", ...writeAnswer(operation, name, schemas) };
  return {
    operationId: name,
    tags: [part],
    summary,
    ...(permission !== null && { description: `Needs the permission \`${permission}\`.` }),
    ...(access === "public" ? { security: [] } : permission !== null && { security: [{ key: [permission] }] }),
    parameters: writeParameters(operation, name, schemas),
    ...(body && { requestBody: { required: true, content: toContent(schemas.write(body, name, "input")) } }),
    responses: {
      [successOf(operation)]: success,
      ...(otherStatus && { [otherStatus[0]]: { ...success, description: otherStatus[1] } }),
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

function writeAnswer({ answer, event }: Operation, name: string, schemas: SchemaWriter): JsonObject {
  if (answer === null) return {};
  if (typeof answer === "string") {
    const content = toContent({ type: "string" }, answer);
    return { content, ...(event && { "x-event": schemas.write(event, name, "output") }) };
  }
  return { content: toContent(schemas.write(answer, name, "output")) };
}

function writeParameters({ path, query, headers = {}, team }: Operation, name: string, schemas: SchemaWriter) {
  const text = { type: "string" };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: text,
  }));
  const { properties = {}, required = [] } = query ? querySchema.parse(schemas.write(query, name, "input")) : {};
  const inQuery = Object.entries(properties).map(([parameter, schema]) => ({
    name: parameter,
    in: "query",
    required: required.includes(parameter),
    schema,
  }));
  const ofTeam = { name: "team", in: "query", schema: text, description: "The team, for members of several." };
  const inHeaders = Object.entries(headers).map(([header, description]) => ({
    name: header,
    in: "header",
    schema: text,
    description,
  }));
  return [...inPath, ...inQuery, ...(team ? [ofTeam] : []), ...inHeaders];
}

const objectSchema = z.record(z.string(), z.unknown());
const querySchema = z.object({
  properties: z.record(z.string(), objectSchema).optional(),
  required: z.array(z.string()).optional(),
});

/** Converts schemas to JSON Schema. What several of them contain goes into `named`, for `components`. */
class SchemaWriter {
  readonly named: Record<string, JsonObject> = {};

  /** `input`: as a client writes it; `output`: as the server does, without fields that are not declared. */
  write(schema: z.core.$ZodType, owner: string, io: "input" | "output"): JsonObject {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = objectSchema.parse(
      z.toJSONSchema(schema, { io, metadata: components, unrepresentable: "any", override: removeNoise }),
    );
    const toName = (name: string): string => {
      const unique = name.startsWith("__") ? `${owner}${name}` : name;
      return io === "input" ? `${unique}Input` : unique;
    };
    for (const [name, definition] of Object.entries(objectSchema.parse($defs)))
      this.named[toName(name)] = moveReferences(definition, toName);
    return moveReferences(root, toName);
  }
}

/** Removes the bounds of whole numbers, and `readOnly`, which would mean that a request must not have the field. */
function removeNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  delete jsonSchema.readOnly;
}

/** The same schema with its references to `$defs` leading to `components`, and without the ids of registered schemas. */
function moveReferences(schema: unknown, toName: (name: string) => string): JsonObject {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key !== "$ref" || typeof value !== "string") return value;
    return `#/components/schemas/${toName(value.replace("#/$defs/", ""))}`;
  });
  return objectSchema.parse(JSON.parse(text));
}
