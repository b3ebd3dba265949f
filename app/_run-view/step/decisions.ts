import type { Json } from "@/lib/core/flow/flow";

export interface Decision {
  number: number;
  words: string;
  detail: string;
}

const sentences: ReadonlyMap<string, string> = new Map([
  ["nothing-to-do", "Nothing to do: nobody had asked anything."],
  ["done: answered", "Done: it had an answer."],
  ["done: loop", "Stopped: it asked for the same tools again and again."],
  ["done: step-limit", "Stopped: it had made all the model calls that it may."],
]);

export function toDecisions(noted: readonly string[]): Decision[] {
  return noted.map((text, index) => ({ number: index + 1, ...describe(text, noted[index - 1]) }));
}

function describe(text: string, before: string | undefined): Pick<Decision, "words" | "detail"> {
  const tools = /^execute-tools: (.*)$/s.exec(text)?.[1];
  if (tools !== undefined) return { words: "Ran the tools that the model asked for:", detail: tools };
  if (text === "call-model") return { words: describeModelCall(before), detail: "" };
  const sentence = sentences.get(text);
  return sentence ? { words: sentence, detail: "" } : { words: "", detail: text };
}

function describeModelCall(before: string | undefined): string {
  if (before === undefined) return "Asked the model: somebody had asked something.";
  if (before.startsWith("execute-tools")) return "Asked the model again: its tools had answered.";
  return before.startsWith("done") ? "Asked the model again: its answer did not fit." : "Asked the model again.";
}

export const readDecisions = (fact: Json | undefined): string[] =>
  Array.isArray(fact) ? fact.filter((decision) => typeof decision === "string") : [];
