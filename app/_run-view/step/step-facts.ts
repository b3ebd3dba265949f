import type { Json } from "@/lib/core/flow/flow";

export type StepFact = [name: string, value: string];

const factNames: ReadonlyMap<string, string> = new Map([
  ["httpStatus", "HTTP status"],
  ["finishReason", "Finish reason"],
  ["model", "Model"],
  ["steps", "Model calls"],
  ["signature", "Repeated calls"],
  ["order", "Members ran"],
  ["from", "From"],
  ["to", "To"],
  ["taken", "Branch taken"],
  ["lane", "Lane"],
  ["rounds", "Rounds"],
  ["ended", "Ended by"],
  ["spawned", "Agents spawned"],
]);

/** Facts that hold, or about which nothing is said. */
const sentences: ReadonlyMap<string, StepFact> = new Map([
  ["isError", ["Result", "an error, which the model received as the answer"]],
  ["edited", ["Answer", "written by hand when the run was forked"]],
  ["wasTrimmed", ["Messages", "the oldest were left out, to fit the context of the model"]],
]);

/** The values of these facts are a few fixed words. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  order: { parallel: "at once", serial: "one after another" },
  taken: { if_true: "If true", if_false: "If false" },
  ended: { done: "its condition or its count", break: "[BREAK] in an answer", limit: "its limit of rounds" },
};

const shownElsewhere = new Set([
  "toolCalls",
  "written",
  "value",
  "schema",
  "decisions",
  "decision",
  "price",
  "cut",
  "reused",
  "ran",
]);

/** What was recorded about a step, in words. */
export function toStepFacts(metadata: Readonly<Record<string, Json>>): StepFact[] {
  return Object.entries(metadata).flatMap(([key, value]): StepFact[] => {
    if (shownElsewhere.has(key)) return [];
    const sentence = sentences.get(key);
    if (sentence) return value === true ? [sentence] : [];
    return [[factNames.get(key) ?? key, words[key]?.[String(value)] ?? formatFact(value)]];
  });
}

function formatFact(value: Json): string {
  if (Array.isArray(value)) return value.map((item: Json) => formatFact(item)).join("\n");
  return typeof value === "string" ? value : JSON.stringify(value);
}
