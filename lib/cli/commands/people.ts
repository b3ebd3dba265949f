import { userInfo } from "node:os";
import { createInterface, type Interface } from "node:readline/promises";
import { showHidden } from "@/lib/core/flow/hidden-characters";
import type { HumanInputAnswer } from "@/lib/core/run/events/events";
import type { HumanInputPort, NumberedQuestion } from "@/lib/core/run/ports/human-input";
import { printable } from "./report";

/**
 * Asks the person at a terminal, one question at a time. A question that is aborted ends alone: the next one is asked.
 * A terminal whose input has ended rejects every question.
 */
export function createTerminalPeople(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): HumanInputPort {
  let previous: Promise<unknown> = Promise.resolve();
  return {
    ask(question, signal) {
      const answer = previous.then(() => askNow({ input, output }, question, signal));
      previous = answer.catch(() => undefined);
      return answer;
    },
  };
}

export const terminalPeople = createTerminalPeople(process.stdin, process.stderr);

/** Where and what is asked, and the text that it is about: each line of it marked, so that it cannot pass for a question. */
export function describeQuestion({ path, message, text }: NumberedQuestion): string {
  const lines = text ? showHidden(text).split(/\r?\n/) : [];
  return [`${printable(path)}: ${printable(message)}`, ...lines.map((line) => `  | ${line}`)].join("\n");
}

async function askNow(
  terminal: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream },
  question: NumberedQuestion,
  signal: AbortSignal,
): Promise<HumanInputAnswer> {
  signal.throwIfAborted();
  const { username } = userInfo();
  if (!terminal.input.readable) return { decision: "rejected", by: username, reason: inputEnded };
  const reader = createInterface(terminal);
  // In raw mode readline receives Ctrl-C itself; it is meant for the run.
  reader.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    terminal.output.write(`\n${describeQuestion(question)}\n`);
    const line = await readLine(reader, toPrompt(question), signal);
    if (line === null) return { decision: "rejected", by: username, reason: inputEnded };
    if (question.type === "question") return { decision: "approved", by: username, text: line };
    const reason = line.trim();
    if (/^y(es)?$/i.test(reason)) return { decision: "approved", by: username };
    return { decision: "rejected", by: username, ...(reason !== "" && { reason }) };
  } finally {
    reader.close();
  }
}

const inputEnded = "the input ended without an answer";

function toPrompt({ type, choices }: NumberedQuestion): string {
  if (type !== "question") return "Type yes to allow it, anything else is a no with that reason: ";
  return choices ? `Answer (${choices.map((choice) => printable(choice)).join(", ")}): ` : "Answer: ";
}

/** The next line; null when the input ends first, on which readline's own promise stays open. */
const readLine = (reader: Interface, prompt: string, signal: AbortSignal): Promise<string | null> =>
  new Promise((resolve, reject) => {
    reader.once("close", () => resolve(null));
    reader.question(prompt, { signal }).then(resolve, reject);
  });
