import "server-only";
import type { JsonObject } from "@/lib/core/flow/flow";

export type { JsonObject } from "@/lib/core/flow/flow";
export { parseJson } from "@/lib/core/flow/parse-json";

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value as text when it is one that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The texts of a list; none of anything else. */
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

/** The value as a count: whole and not negative, else 0. */
export const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
