import { isScalar } from "yaml";
import { looksUpVariable } from "../../flow/field-variables";
import { type Flow, runLimitsSchema } from "../../flow/flow";
import { readText, type YamlEntry } from "../yaml/yaml-nodes";
import type { EntryReader } from "./entry-reader";

const limitKeys = Object.keys(runLimitsSchema.shape);
const isLimit = (key: string): key is keyof typeof runLimitsSchema.shape => Object.hasOwn(runLimitsSchema.shape, key);

/** The text of a top-level entry; null when it is none. */
export function readTopText(entry: YamlEntry, reading: EntryReader): string | null {
  const text = readText(entry.value);
  if (text === null) reading.reportValue(entry, "a text");
  return text;
}

/** `vars:` */
export function readVars(entry: YamlEntry, reading: EntryReader): Flow["vars"] {
  const vars = new Map<string, string | number | boolean>();
  for (const one of reading.mapping(entry, "a mapping of names to values")) {
    const value = isScalar(one.value) ? one.value.value : undefined;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") vars.set(one.key, value);
    if (typeof value === "string" && looksUpVariable(value)) {
      const message = `The variable "${one.key}" looks up another one, which stays as it is written: variables are not put into variables. Write the value itself.`;
      reading.report("unknown-variable", "warning", message, one.value);
    } else if (!vars.has(one.key)) reading.reportValue(one, "a text, a number, true or false");
  }
  return vars;
}

/** `limits:` */
export function readLimits(entry: YamlEntry, reading: EntryReader): Flow["limits"] {
  const found: Record<string, unknown> = {};
  for (const one of reading.mapping(entry, "a mapping of limits to numbers")) {
    if (!isLimit(one.key)) {
      reading.reportUnknownKey(one, limitKeys, "the limits of a run");
      continue;
    }
    const filled = reading.lookUp(one);
    if (filled && filled.value === undefined) continue;
    const value = filled ? filled.value : reading.toJson(one.value);
    if (runLimitsSchema.shape[one.key].safeParse(value).success) found[one.key] = value;
    else reading.reportValue(one, "a number above 0", filled?.value);
  }
  return { ...runLimitsSchema.parse(found), ...reading.written };
}
