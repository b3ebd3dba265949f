import type { RunNodeKind } from "@/lib/core/run/events/events";
import type { OpenQuestion, TraceView } from "@/lib/core/trace/model/trace-view";

interface Waiting {
  name: string;
  question: OpenQuestion;
}

const maxNames = 3;

/** What a step waits for that has not ended, and in which no agent is running. */
export function describeWaiting(trace: TraceView, span: number): string {
  const [first, ...others] = questionsBelow(trace, span);
  if (first && others.length === 0) return `Waiting for a person to ${actionOf(first)}.`;
  if (first) return `Waiting for a person to decide about ${listNames([first, ...others])}.`;
  if (trace.run.status === "PAUSED") return "The run is paused. Resume it to continue.";
  return waitingWords[trace.kindOf(span)];
}

const nextAgent = "Waiting for the next agent…";
const waitingWords: Readonly<Record<RunNodeKind, string>> = {
  swarm: nextAgent,
  group: nextAgent,
  agent: "Waiting for output…",
  llm_call: "Waiting for the first token…",
  tool_call: "Waiting for the tool…",
  handoff: nextAgent,
  approval: nextAgent,
  branch: nextAgent,
  router: "Waiting for a decision…",
  loop: nextAgent,
  round: nextAgent,
};

function questionsBelow(trace: TraceView, span: number): Waiting[] {
  return [...trace.questions]
    .filter(([waiting]) => trace.isWithin(waiting, span))
    .map(([waiting, question]) => ({ name: trace.nameOf(waiting), question }));
}

const actions = {
  approval: (name: string) => `approve “${name}”`,
  tool: (name: string) => `approve the tool call “${name}”`,
  question: (name: string) => `answer “${name}”`,
} as const;

const actionOf = ({ name, question }: Waiting): string => actions[question.type](name);

function listNames(waiting: readonly Waiting[]): string {
  const names = waiting.slice(0, maxNames).map(({ name }) => `“${name}”`);
  const rest = waiting.length - names.length;
  const listed = rest > 0 ? [...names, `${rest} more`] : names;
  return `${listed.slice(0, -1).join(", ")} and ${listed.at(-1)}`;
}
