import { randomUUID } from "node:crypto";
import { z } from "zod";
import { checkFlow } from "@/lib/core/check/check-flow";
import type { Flow } from "@/lib/core/flow/flow";
import { parseJson } from "@/lib/core/flow/parse-json";
import { errorsOf, type Problem, runBlockersOf } from "@/lib/core/flow/problem";
import { findMessageMistakes, type Message, messageSchema } from "@/lib/core/run/events/messages";
import { listWarnings } from "@/lib/core/run/events/warnings";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { currentOffer } from "@/lib/server/offer";
import { runWorld } from "@/lib/server/run-world";
import { readStdin, readTextFile } from "../files";
import { readerGone, writeJson, writeLine } from "../output";
import { UsageError } from "../usage-error";
import { terminalPeople } from "./people";
import { Lines, printable, printProblems } from "./report";
import { toResult } from "./run-result";

interface RunCommandOptions {
  /** `-` reads standard input. */
  input: string;
  /** JSON file with the conversation before the input. */
  messages?: string;
  /** Every agent asks this model instead of its own. */
  model?: string;
  events?: boolean;
  json?: boolean;
  maxSeconds?: number;
  /** Limits of every agent instead of its own. */
  maxSteps?: number;
  maxRetries?: number;
  loopThreshold?: number;
}

/** `run FILE`: runs a flow without a database. Prints the output, or what was asked for. Gives the exit code. */
export async function runRun(file: string, options: RunCommandOptions): Promise<number> {
  const text = readTextFile(file);
  const messages = options.messages === undefined ? [] : readMessages(options.messages);
  const { flow, problems } = readFlow(text, options.model);
  printProblems(file, problems, new Lines(text));
  if (runBlockersOf(problems).length > 0) return 1;
  const input = options.input === "-" ? await readStdin() : options.input;
  const state = await follow(flow, input, messages, options);
  if (options.json) await writeJson(toResult(state, messages));
  else if (!options.events && (state.status === "SUCCESS" || state.output.text !== ""))
    await writeLine(state.output.text);
  for (const { code, path, message } of listWarnings(state.nodes))
    console.error(printable(`warning ${code} at ${path}: ${message}`));
  if (state.status === "SUCCESS") return 0;
  const { code = "", message = "", path } = state.error ?? {};
  console.error(
    printable(`${state.status}${path ? ` at ${path}` : ""}: ${message || code || "the run did not succeed"}`),
  );
  return 1;
}

const modelProblems: readonly Problem["code"][] = [
  "missing-model",
  "unknown-provider",
  "unknown-model",
  "missing-key",
  "unpriced-model",
];

/** The flow of a file and what speaks against running it here; `model` takes the place of every agent's own. */
function readFlow(text: string, model: string | undefined): { flow: Flow; problems: readonly Problem[] } {
  const offer = currentOffer();
  const { flow, problems } = readSource(text, offer);
  if (model === undefined) return { flow, problems };
  const agents = new Map([...flow.agents].map(([name, agent]) => [name, { ...agent, model }]));
  const changed = { ...flow, agents };
  const checkProblems = checkFlow(changed, offer);
  const unasked = errorsOf(checkProblems).find(({ code }) => modelProblems.includes(code));
  if (unasked) throw new UsageError(`--model ${model} cannot be used. ${unasked.message}`);
  // One for all agents: they ask the same model now.
  const unpriced = checkProblems.filter(({ code }) => code === "unpriced-model").slice(0, 1);
  return { flow: changed, problems: [...problems.filter(({ code }) => !modelProblems.includes(code)), ...unpriced] };
}

function readMessages(file: string): Message[] {
  const value = parseJson(readTextFile(file));
  if (value === undefined)
    throw new UsageError(
      `${file} is not JSON. Expected a list of messages, e.g. [{"role": "user", "content": "Hello"}].`,
    );
  const { data: messages, error } = z.array(messageSchema).safeParse(value);
  if (!messages) {
    const [issue] = error.issues;
    throw new UsageError(
      `${file} does not contain a list of messages: at [${issue?.path.join(".") ?? ""}] ${issue?.message ?? ""}`,
    );
  }
  const [mistake] = findMessageMistakes(messages);
  if (mistake !== undefined) throw new UsageError(`${file}: ${mistake} Models refuse such a conversation.`);
  return messages;
}

/** Drives the run to its end and folds its events; Ctrl-C and the like cancel it, and the end of the reader of its events. */
async function follow(
  flow: Flow,
  input: string,
  messages: readonly Message[],
  options: RunCommandOptions,
): Promise<RunState> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, cancel);
  const context = {
    ...runWorld,
    signal: options.events ? AbortSignal.any([controller.signal, readerGone]) : controller.signal,
    ...(process.stdin.isTTY && options.input !== "-" && { humanInput: terminalPeople }),
  };
  const limits = options.maxSeconds === undefined ? {} : { max_seconds: options.maxSeconds };
  const parameters = {
    max_steps: options.maxSteps,
    max_retries: options.maxRetries,
    loop_threshold: options.loopThreshold,
  };
  let state = emptyRunState;
  try {
    for await (const event of runFlow(flow, input, context, { runId: randomUUID(), messages, limits, parameters })) {
      if (options.events) await writeJson(event);
      state = foldEvents(state, [event]);
    }
  } finally {
    for (const signal of signals) process.off(signal, cancel);
  }
  return state;
}
