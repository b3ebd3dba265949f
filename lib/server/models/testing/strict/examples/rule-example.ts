import "server-only";
import type { JsonObject } from "../../../json";

/** A body that breaks exactly this rule, asked of this model. */
export type BrokenExample = readonly [rule: string, model: string, body: JsonObject];

/** A body in which nothing is wrong, asked of this model. */
export type RightExample = readonly [description: string, model: string, body: JsonObject];

/** What a service refuses, and what it takes. */
export interface ServiceExamples {
  broken: readonly BrokenExample[];
  right: readonly RightExample[];
}

/** `count` values, made by their index. */
export const times = <Value>(count: number, toValue: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => toValue(index));

export const without = (body: JsonObject, ...fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)));
