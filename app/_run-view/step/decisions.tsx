import type { Json } from "@/lib/core/flow/flow";

export interface Decision {
  number: number;
  words: string;
  detail: string;
}

const sentences: ReadonlyMap<string, string> = new Map([
  ["nothing-to-do", "Nothing to do: there was no input."],
  ["done: answered", "Done: the agent answered."],
  ["done: loop", "Stopped: the model repeated the same tool calls."],
  ["done: step-limit", "Stopped: the limit of model calls was reached."],
]);

export function toDecisions(noted: readonly string[]): Decision[] {
  return noted.map((text, index) => ({ number: index + 1, ...describe(text, noted[index - 1]) }));
}

function describe(text: string, before: string | undefined): Pick<Decision, "words" | "detail"> {
  const [, order, tools] = /^execute-tools( in order)?: (.*)$/s.exec(text) ?? [];
  if (tools !== undefined)
    return { words: `Ran the requested tools${order ? " one after another" : ""}:`, detail: tools };
  if (text === "call-model") return { words: describeModelCall(before), detail: "" };
  const sentence = sentences.get(text);
  return sentence ? { words: sentence, detail: "" } : { words: "", detail: text };
}

function describeModelCall(before: string | undefined): string {
  if (before === undefined) return "Called the model with the input.";
  if (before.startsWith("execute-tools")) return "Called the model again with the tool results.";
  return before.startsWith("done")
    ? "Called the model again: the answer did not match the schema."
    : "Called the model again.";
}

export const readDecisions = (fact: Json | undefined): string[] =>
  Array.isArray(fact) ? fact.filter((decision) => typeof decision === "string") : [];

export function NodeDecisions({ decisions }: { decisions: readonly string[] }) {
  return (
    <ol aria-label="Decisions" className="flex flex-col gap-2 p-4">
      {toDecisions(decisions).map(({ number, words, detail }) => (
        <li key={number} className="flex gap-3">
          <span className="w-6 shrink-0 text-right text-text-muted tabular-nums">{number}</span>
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {words}
            {detail !== "" && <span className="font-mono text-text-muted text-xs"> {detail}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
