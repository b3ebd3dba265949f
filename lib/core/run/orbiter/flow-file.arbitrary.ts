import { expect } from "vitest";
import { z } from "zod";
import { hasErrors } from "../../flow/problem";
import { readSource } from "../../source/read-source";
import type { Message } from "../events/messages";
import type { Tool } from "../ports/tool";
import type { ScriptedTurn } from "../testing/scripted-model";
import { type FinishedRun, runScripted, type ScriptedRunOptions } from "../testing/scripted-run";

/** Agents as YAML lines, each with a scripted model and its own name as instructions. */
export const agents = (...names: string[]): string =>
  ["agents:", ...names.map((name) => `  ${name}: { model: "scripted:m", instructions: "I am ${name}" }`)].join("\n");

/** Runs a flow file that has no errors. */
export function runFile(text: string, trial: ScriptedRunOptions): Promise<FinishedRun> {
  const { flow, problems } = readSource(text);
  expect(hasErrors(problems), JSON.stringify(problems.map(({ message }) => message))).toBe(false);
  return runScripted(flow, trial);
}

export const reply = (text: string, rest: Partial<ScriptedTurn> = {}): ScriptedTurn => ({ text, ...rest });
export const call = (
  name: string,
  args: ScriptedTurn["calls"] extends readonly (infer C)[] | undefined
    ? C extends { arguments?: infer A }
      ? A
      : never
    : never = {},
): ScriptedTurn => ({
  calls: [{ name, arguments: args }],
});
export const refuse: ScriptedTurn = { end: { class: "invalid-request", message: "refused", status: 400 } };

/** A conversation in short: `S:` system, `U:` user, `A:` assistant, `T:` tool result. */
const brief = (messages: readonly Message[] = []): string[] =>
  messages.map((message) => {
    const letter = { system: "S", user: "U", assistant: "A", tool: "T" }[message.role];
    const calls = message.role === "assistant" ? (message.toolCalls ?? []).map(({ name }) => `+${name}`) : [];
    return [`${letter}:${message.content}`, ...calls].join("");
  });

/** What each agent was sent at its calls, in short. */
export const sentTo = (ran: FinishedRun, agent: string): string[][] =>
  ran.models.requestsOf(agent).map(({ messages }) => brief(messages));

/** A tool that gives its text back. */
export const echo: Tool<{ text?: string | undefined }> = {
  spec: { name: "echo", description: "", parameters: { type: "object" } },
  input: z.object({ text: z.string().optional() }),
  execute: async ({ text = "" }) => `echo ${text}`,
};
