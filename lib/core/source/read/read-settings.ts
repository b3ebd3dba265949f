import { isScalar } from "yaml";
import { looksUpVariable } from "../../flow/field-variables";
import type { Flow } from "../../flow/flow";
import { runLimitsSchema } from "../../flow/schemas/flow-schemas";
import { readText, type YamlEntry } from "../yaml/yaml-nodes";
import type { EntryReader } from "./entry-reader";

const limitKeys = Object.keys(runLimitsSchema.shape);
const isLimit = (key: string): key is keyof typeof runLimitsSchema.shape => Object.hasOwn(runLimitsSchema.shape, key);

/** The text of a top-level entry; null when it is none. */
export function readTopText(entry: YamlEntry, reader: EntryReader): string | null {
  const text = readText(entry.value);
  if (text === null) reader.reportValue(entry, "a text");
  return text;
}

/** `vars:` */
export function readVars(entry: YamlEntry, reader: EntryReader): Flow["vars"] {
  const vars = new Map<string, string | number | boolean>();
  for (const variableEntry of reader.mapping(entry, "a mapping of names to values").values()) {
    const value = isScalar(variableEntry.value) ? variableEntry.value.value : undefined;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      vars.set(variableEntry.key, value);
    if (typeof value === "string" && looksUpVariable(value)) {
      const message = `The variable "${variableEntry.key}" looks up another one, which stays as it is written: variables are not put into variables. Write the value itself.`;
      reader.report("unknown-variable", "warning", message, variableEntry.value);
    } else if (!vars.has(variableEntry.key)) reader.reportValue(variableEntry, "a text, a number, true or false");
  }
  return vars;
}

/** `limits:` */
export function readLimits(entry: YamlEntry, reader: EntryReader): Flow["limits"] {
  const limits: Record<string, unknown> = {};
  for (const limitEntry of reader.mapping(entry, "a mapping of limits to numbers").values()) {
    if (!isLimit(limitEntry.key)) {
      reader.reportUnknownKey(limitEntry, limitKeys, "the limits of a run");
      continue;
    }
    const filled = reader.lookUp(limitEntry);
    if (filled && filled.value === undefined) continue;
    const value = filled ? filled.value : reader.toJson(limitEntry.value);
    if (runLimitsSchema.shape[limitEntry.key].safeParse(value).success) limits[limitEntry.key] = value;
    else reader.reportValue(limitEntry, "a number above 0", filled?.value);
  }
  return { ...runLimitsSchema.parse(limits), ...reader.written };
}
