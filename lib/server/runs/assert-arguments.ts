import "server-only";
import { z } from "zod";
import type { Json, JsonSchema } from "@/lib/core/flow/flow";
import { isJsonObject, parseJsonAs } from "@/lib/core/flow/parse-json";
import type { HumanInputRequest } from "@/lib/core/run/events/events";
import { canonicalJson } from "@/lib/core/run/loop/tool-signature";
import { compileSchema } from "@/lib/core/run/plan/answer-schema";
import { AppError } from "../app-error";

/**
 * Checks the arguments that a user gives to a tool call, by the schema of its question.
 * Throws AppError `bad_request`; its details name the argument in `path` (`a.b.0`; empty: all of them).
 */
export function assertArguments(text: string, schema: JsonSchema = {}): void {
  const value = parseArguments(text);
  const compiled = compileSchema(schema);
  if (!compiled.ok) return;
  const [mistake] = compiled.findMistakes(value);
  if (!mistake) return;
  const path = mistake.path.split("/").slice(1).map(unescapePointer).join(".");
  throw toRefusal(path, `${path === "" ? "The arguments" : `\`${path}\``} ${mistake.message}.`);
}

/** Throws AppError `bad_request` for a text that replaces what a user can only approve as it is, or reject. */
export function assertUnchanged(text: string, { type, text: shown = "" }: HumanInputRequest): void {
  const isSame = type === "tool" ? canonicalJson(text) === canonicalJson(shown) : text === shown;
  if (isSame) return;
  throw new AppError(
    "bad_request",
    "`text`: expected none or the text of the question, found another one. Steps of an earlier run are reused with it: approve it as it is, or reject it.",
  );
}

function parseArguments(text: string): Json {
  let value: Json;
  try {
    value = parseJsonAs(text, z.custom<Json>());
  } catch (error) {
    throw toRefusal("", `Expected a JSON object, found ${error instanceof Error ? error.message : "no JSON"}.`);
  }
  if (isJsonObject(value)) return value;
  throw toRefusal(
    "",
    `Expected a JSON object, found ${Array.isArray(value) ? "a list" : JSON.stringify(value).slice(0, 50)}.`,
  );
}

const toRefusal = (path: string, message: string): AppError =>
  new AppError("bad_request", `The arguments do not fit the tool. ${message}`, { path });

/** RFC 6901: `~1` is `/`, `~0` is `~`. */
const unescapePointer = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");
