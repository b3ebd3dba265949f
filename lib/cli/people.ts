import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import { showHidden } from "@/lib/core/flow/hidden-characters";
import type { PersonAnswer } from "@/lib/core/run/events";
import type { PeoplePort, PersonQuestion } from "@/lib/core/run/people";
import { printable } from "./report";

/** Asks whoever sits at the terminal, one question at a time. */
export const terminalPeople: PeoplePort = {
  ask(question, signal) {
    last = last.then(() => askOne(question, signal));
    return last;
  },
};

/** Where and what is asked, and the text that it is about: each line of it marked, so that it cannot pass for a question. */
export function describeQuestion({ path, message, text }: PersonQuestion): string {
  const lines = text ? showHidden(text).split(/\r?\n/) : [];
  return [`${printable(path)}: ${printable(message)}`, ...lines.map((line) => `  | ${line}`)].join("\n");
}

let last: Promise<PersonAnswer> = Promise.resolve({ decision: "rejected", by: "" });

async function askOne(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const by = userInfo().username;
  try {
    console.error(`\n${describeQuestion(question)}`);
    if (question.type === "question") {
      const choices = question.choices ? ` (${question.choices.map((choice) => printable(choice)).join(", ")})` : "";
      return { decision: "approved", by, text: await terminal.question(`Answer${choices}: `, { signal }) };
    }
    const said = (
      await terminal.question("Type yes to allow it, anything else is a no with that reason: ", { signal })
    ).trim();
    if (/^y(es)?$/i.test(said)) return { decision: "approved", by };
    return { decision: "rejected", by, ...(said !== "" && { reason: said }) };
  } finally {
    terminal.close();
  }
}
