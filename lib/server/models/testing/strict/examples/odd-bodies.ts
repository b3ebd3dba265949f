import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import { isObject, type JsonObject } from "../../../json";

/** What a client may send in place of anything else. An object may have a field that makes it no text. */
const oddValues: readonly Json[] = [null, true, -7, "", "odd", [], [null], [[7]], {}, { toString: 1 }];

function* changeOnePlace(value: Json): Generator<Json> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) for (const odd of toOdd(item)) yield value.with(index, odd);
  if (isObject(value))
    for (const [key, item] of Object.entries(value)) for (const odd of toOdd(item)) yield { ...value, [key]: odd };
}

function* toOdd(value: Json): Generator<Json> {
  yield* oddValues;
  yield* changeOnePlace(value);
}

/** An empty body, and the given one with each of its values replaced by each odd value in turn. */
export const toOddBodies = (body: JsonObject): JsonObject[] => [{}, ...changeOnePlace(body)].filter(isObject);
