import type { Agent } from "../../kinds/agent";
import type { NodeResult } from "../events/event-recorder";
import type { AssistantMessage, Message, ToolMessage } from "../events/messages";
import { addUsage, noUsage } from "../events/usage";
import type { ModelCallResult } from "./call-model";
import { type Conversation, decideNextAction, type NextAction } from "./planner";
import { toSignature } from "./tool-signature";

/** The conversation of one agent, with what it used and decided. */
export class AgentConversation {
  conversation: Conversation;
  usage = noUsage;
  simulated = false;
  /** The last thing that it said, and what it said in its last turn. */
  lastText = "";
  lastTurnText = "";
  wasCorrected = false;
  readonly #decisions: string[] = [];
  /** The conversation as JSON text without its last bracket: each message is written once, however many turns follow. */
  #written: string;

  constructor({ max_steps, loop_threshold }: Agent, messages: Message[]) {
    this.conversation = { messages, turns: 0, signatures: [], max_steps, loop_threshold };
    this.#written = writeOpen(messages);
  }

  /** How many decisions were made. */
  get decisionCount(): number {
    return this.#decisions.length;
  }

  get messagesJson(): string {
    return `${this.#written}]`;
  }

  decideNextAction(): NextAction {
    const step = decideNextAction(this.conversation);
    this.#decisions.push(describeStep(step));
    return step;
  }

  /** Takes a model's turn; false when there is none, because it failed. */
  appendTurn(turn: ModelCallResult): boolean {
    this.usage = addUsage(this.usage, turn.usage);
    this.simulated ||= turn.simulated;
    this.lastText = turn.output === "" ? this.lastText : turn.output;
    if (!turn.message) return false;
    this.lastTurnText = turn.message.content;
    if (turn.trimmed) this.#written = writeOpen(turn.trimmed);
    const messages = turn.trimmed ?? this.conversation.messages;
    this.conversation = withTurn({ ...this.conversation, messages }, turn.message);
    this.#written += `,${JSON.stringify(turn.message)}`;
    return true;
  }

  /** Results stand in the order of the calls. A null (the run was stopped) ends them. */
  appendToolResults(
    results: readonly ({ message: ToolMessage; usage: NodeResult["usage"]; simulated: boolean } | null)[],
  ): void {
    const found = results.filter((result) => result !== null);
    for (const { usage, simulated } of found) {
      this.usage = addUsage(this.usage, usage);
      this.simulated ||= simulated;
    }
    this.#add(...found.map(({ message }) => message));
  }

  appendUserMessage(content: string): void {
    this.#add({ role: "user", content });
  }

  requestCorrection(content: string): void {
    this.wasCorrected = true;
    this.appendUserMessage(content);
  }

  get metadata(): NonNullable<NodeResult["metadata"]> {
    const { turns: steps, signatures } = this.conversation;
    const signature = signatures.at(-1);
    return {
      steps,
      decisions: this.#decisions,
      ...(signature !== undefined && { signature: shortenSignature(signature) }),
    };
  }

  #add(...messages: Message[]): void {
    this.conversation = { ...this.conversation, messages: [...this.conversation.messages, ...messages] };
    for (const message of messages) this.#written += `,${JSON.stringify(message)}`;
  }
}

const writeOpen = (messages: readonly Message[]): string => JSON.stringify(messages).slice(0, -1);

/** A decision of the planner in a few words, as the trace shows it. */
function describeStep(step: NextAction): string {
  if (step.type === "execute-tools") return `execute-tools: ${step.calls.map(({ name }) => name).join(", ")}`;
  return step.type === "done" ? `done: ${step.reason}` : step.type;
}

function withTurn(conversation: Conversation, message: AssistantMessage): Conversation {
  const { messages, turns: steps, signatures } = conversation;
  const calls = message.toolCalls ?? [];
  return {
    ...conversation,
    messages: [...messages, message],
    turns: steps + 1,
    signatures: calls.length === 0 ? signatures : [...signatures, toSignature(calls)],
  };
}

/** Longest signature that is shown, in UTF-16 units. */
const longestSignature = 2000;

export const shortenSignature = (signature: string): string =>
  signature.length > longestSignature ? `${signature.slice(0, longestSignature)}…` : signature;
