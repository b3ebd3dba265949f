import { emptyLayout } from "../../flow/edit";
import { answererWords } from "../../run/events/answerer-words";
import type { Payload, RunError } from "../../run/events/events";
import type { RunNode } from "../model/run-state";
import type { RunFileHead } from "./run-file";

/** Which texts of a run others may read. Structure, names, times, statuses, tokens and costs are always shown. */
export interface SharedTexts {
  /** What the run and its steps were given, and the text of the flow. */
  inputs: boolean;
  /** What the steps answered, also where another step was given it. */
  outputs: boolean;
  /** What tools were given and what they answered. */
  tools: boolean;
}

export const notShared = "This text is not shared.";

const hidden: Payload = { text: notShared };
const isWhole = ({ inputs, outputs, tools }: SharedTexts): boolean => inputs && outputs && tools;

/**
 * What others may read of a run, made of what is named here: a field that is added to runs is shown to nobody until it is
 * added here, too. Requests to providers are never shown, nor who answered a question; texts may still have names: see
 * `hideAnswerers`.
 */
export function toSharedHead({ run, source, layout }: RunFileHead, shown: SharedTexts): RunFileHead {
  const { id, flowName, status, input, output, error, usage, simulated, createdAt, startedAt, endedAt } = run;
  return {
    run: {
      ...{ id, flowName, status, usage, simulated, createdAt, startedAt, endedAt },
      input: shown.inputs ? input : hidden,
      output: shown.outputs ? output : hidden,
      error: error && toSharedError(error, shown),
    },
    source: shown.inputs ? source : "",
    layout: shown.inputs ? layout : emptyLayout,
  };
}

/** What others may read of a step; see `toSharedHead`. */
export function toSharedNode(node: RunNode, shown: SharedTexts): RunNode {
  const { id, parent, path, kind, name, status, startedAt, endedAt, firstTokenAt, queuedMs, usage, simulated } = node;
  const texts = shownTextsOf(node, shown);
  return {
    ...{ id, path, kind, status, startedAt, usage, simulated },
    // The name of a call is what a model wrote, also where there is no such tool.
    name: kind === "tool_call" && !shown.tools ? "tool" : name,
    ...(parent !== undefined && { parent }),
    ...(endedAt !== undefined && { endedAt }),
    ...(firstTokenAt !== undefined && { firstTokenAt }),
    ...(queuedMs !== undefined && { queuedMs }),
    input: texts.input ? node.input : hidden,
    output: texts.output ? node.output : hidden,
    reasoning: isWhole(shown) ? node.reasoning : "",
    attempts: node.attempts.map(({ attempt, at, error, waitMs, queuedMs: queued }) => ({
      ...{ attempt, at, error: toSharedError(error, shown) },
      ...(waitMs !== undefined && { waitMs }),
      ...(queued !== undefined && { queuedMs: queued }),
    })),
    ...(node.error && { error: toSharedError(node.error, shown) }),
    metadata: {},
  };
}

/** A step is given what earlier ones answered, and a model all that was said before. */
function shownTextsOf({ kind, path }: RunNode, shown: SharedTexts): { input: boolean; output: boolean } {
  const { inputs, outputs, tools } = shown;
  if (kind === "tool_call") return { input: tools, output: tools };
  if (kind === "llm_call") return { input: isWhole(shown), output: outputs && tools };
  return { input: path === "/" ? inputs : inputs && outputs, output: outputs };
}

/** A part of the JSON of a shared run without the names of the users who answered its questions. */
export function hideAnswerers(json: string, names: readonly string[]): string {
  let text = json;
  for (const name of names)
    for (const form of toEscapedForms(name))
      for (const words of Object.values(answererWords))
        text = text.replaceAll(`${form}${words}`, () => `A user${words}`);
  return text;
}

/** A name in JSON, and in JSON that is a text in JSON. */
function toEscapedForms(name: string): string[] {
  const toInner = (text: string): string => JSON.stringify(text).slice(1, -1);
  return [...new Set([toInner(name), toInner(toInner(name))])];
}

/** A message may quote any text. */
const toSharedError = ({ code, message, path }: RunError, shown: SharedTexts): RunError => ({
  code,
  message: isWhole(shown) ? message : notShared,
  ...(path !== undefined && { path }),
});
