import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { validate } from "@readme/openapi-parser";
import { expect, test } from "vitest";
import { z } from "zod";
import { flowOperations } from "@/lib/server/api/flow-operations";
import { getOpenApi } from "@/lib/server/api/openapi";
import { listOperations } from "@/lib/server/api/operations";
import { toAnswerCheck } from "./testing/declared-answers";

const folder = path.join(import.meta.dirname, "v1");
const routes = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "route.ts")
  .map((file) => ({
    path: `/${path.dirname(file).replaceAll(/\[(\w+)\]/g, "{$1}")}`,
    text: readFileSync(path.join(folder, file), "utf8"),
  }));
const operations = listOperations();

test("every method of every route is an operation, and every operation has its route", () => {
  const methods = routes.flatMap(({ path: route, text }) =>
    [...text.matchAll(/^export const ([A-Z]+) =/gm)].map(([, method]) => `${method} ${route}`),
  );
  const declared = operations.map(({ operation }) => `${operation.method} ${operation.path}`);
  expect(methods.length).toBeGreaterThan(60);
  expect(declared.sort()).toEqual(methods.sort());
});

test("routes read requests with the schemas of their operations, and with no others", () => {
  for (const { path: route, text } of routes) {
    const read = [...text.matchAll(/read(?:Json|Query)\(\s*request,\s*\w+Operations\.(\w+\.(?:body|query))/g)];
    const all = [...text.matchAll(/read(?:Json|Query)\(/g)];
    const expected = operations
      .filter(({ operation }) => operation.path === route)
      .flatMap(({ name, operation: { body, query } }) => [
        ...(body ? [`${name}.body`] : []),
        ...(query ? [`${name}.query`] : []),
      ]);
    expect([route, read.map(([, schema]) => schema).sort()]).toEqual([route, expected.sort()]);
    expect([route, all.length]).toEqual([route, read.length]);
    expect(text, `${route} has a schema of its own`).not.toContain('from "zod');
  }
});

test("every name is there once", () => {
  const names = operations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test("the document is OpenAPI 3.1, and every reference in it leads somewhere", async () => {
  const text = JSON.stringify(getOpenApi());
  expect(await validate(JSON.parse(text))).toMatchObject({ valid: true, warnings: [] });
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(50);
  const { schemas, responses } = getOpenApi().components;
  for (const [, kind, name] of references)
    expect(kind === "schemas" ? schemas : responses).toHaveProperty(String(name));
});

test("a validator finds a mistake in such a document", async () => {
  const document = z.looseObject({ paths: z.record(z.string(), z.unknown()) }).parse(structuredClone(getOpenApi()));
  document.paths["/flows"] = { get: { responses: 3 } };
  expect(await validate(JSON.parse(JSON.stringify(document)))).toMatchObject({ valid: false });
});

test("what a schema contains is declared: parameters, permissions, status, answers", () => {
  const { paths } = getOpenApi();
  expect(paths["/flows/{id}/runs"]?.post).toMatchObject({
    operationId: "startRun",
    security: [{ key: ["runs:write"] }],
    parameters: [
      { name: "id", in: "path", required: true },
      { name: "Idempotency-Key", in: "header" },
    ],
    requestBody: { required: true },
    responses: { "202": { content: { "application/json": {} } }, default: {} },
  });
  expect(paths["/runs"]?.get?.parameters).toContainEqual({
    name: "limit",
    in: "query",
    required: false,
    schema: { type: "integer", minimum: 1, maximum: 200 },
  });
  expect(paths["/openapi.json"]?.get).toMatchObject({ security: [] });
});

test("an answer with an undeclared field, a missing one or another status is found", async () => {
  const findUndeclared = toAnswerCheck(getOpenApi());
  const check = (body: unknown, status = 202) =>
    findUndeclared("/flows/{id}/runs", "POST", Response.json(body, { status }));
  expect(await check({ id: "a" })).toBeNull();
  expect(await check({ id: "a", secret: 1 })).toContain("additional properties");
  expect(await check({})).toContain("required");
  expect(await check({ id: "a" }, 201)).toContain("status 201");
});

test("a change of a flow without anything to change is refused, whoever sends it", () => {
  expect(flowOperations.changeFlow.body.safeParse({}).success).toBe(false);
  expect(flowOperations.changeFlow.body.safeParse({ tags: [] }).success).toBe(true);
});
