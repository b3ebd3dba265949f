import type { Agent } from "../../kinds/agent";
import type { NodeResult } from "../events/event-recorder";
import type { Message, ToolMessage } from "../events/messages";
import { ExpenseTotal } from "../scope/node-result";
import type { ModelCallResult } from "./call-model";
import { type Conversation, decideNextAction, type NextAction, type ToolCallOrder } from "./planner";
import { toSignature } from "./tool-signature";

/** A tool's answer as a message, with what its execution used. */
export interface ToolCallResult extends Pick<NodeResult, "usage" | "simulated"> {
  message: ToolMessage;
}

/** Longest JSON text of its messages that a conversation keeps between turns, in UTF-16 units. */
const maxKeptUnits = 100_000;

/** The conversation of one agent, with what it used and decided. */
export class AgentConversation implements Conversation {
  messages: readonly Message[];
  turns = 0;
  signatures: readonly string[] = [];
  readonly max_steps: number;
  readonly loop_threshold: number;
  readonly tool_calls: ToolCallOrder;
  readonly total = new ExpenseTotal();
  /** The latest text of the model that is not empty. */
  lastText = "";
  /** The text of the latest turn, maybe empty. */
  lastTurnText = "";
  wasCorrected = false;
  readonly #decisions: string[] = [];
  /**
   * The messages as JSON text without the closing bracket: each message is serialized once, however many turns follow.
   * Null: not written yet, or too long to be kept by each of thousands of agents.
   */
  #openJson: string | null = null;

  constructor(
    { max_steps, loop_threshold, tool_calls = "parallel" }: Agent,
    messages: readonly Message[],
    readonly pollingTools: ReadonlySet<string>,
  ) {
    this.messages = messages;
    this.max_steps = max_steps;
    this.loop_threshold = loop_threshold;
    this.tool_calls = tool_calls;
  }

  get decisionCount(): number {
    return this.#decisions.length;
  }

  get messagesJson(): string {
    const openJson = this.#openJson ?? JSON.stringify(this.messages).slice(0, -1);
    this.#openJson = openJson.length > maxKeptUnits ? null : openJson;
    return `${openJson}]`;
  }

  decideNextAction(): NextAction {
    const action = decideNextAction(this);
    this.#decisions.push(describeAction(action));
    return action;
  }

  /** Appends a model's turn; false when there is none, because the call failed. */
  appendTurn(turn: ModelCallResult): boolean {
    this.total.add(turn);
    if (turn.output !== "") this.lastText = turn.output;
    if (!turn.message) return false;
    this.lastTurnText = turn.message.content;
    if (turn.trimmed) {
      this.messages = turn.trimmed;
      this.#openJson = null;
    }
    const calls = turn.message.toolCalls ?? [];
    if (calls.length > 0) this.signatures = [...this.signatures, toSignature(calls)];
    this.turns++;
    this.#append(turn.message);
    return true;
  }

  /** Takes results in the order of their calls. Null results, of a stopped run, are skipped. */
  appendToolResults(results: readonly (ToolCallResult | null)[]): void {
    const endedCalls = results.filter((result) => result !== null);
    for (const result of endedCalls) this.total.add(result);
    this.#append(...endedCalls.map(({ message }) => message));
  }

  appendUserMessage(content: string): void {
    this.#append({ role: "user", content });
  }

  requestCorrection(content: string): void {
    this.wasCorrected = true;
    this.appendUserMessage(content);
  }

  get metadata(): NonNullable<NodeResult["metadata"]> {
    const signature = this.signatures.at(-1);
    return {
      steps: this.turns,
      decisions: this.#decisions,
      ...(signature !== undefined && { signature: shortenSignature(signature) }),
    };
  }

  #append(...messages: Message[]): void {
    this.messages = [...this.messages, ...messages];
    if (this.#openJson === null) return;
    for (const message of messages) this.#openJson += `,${JSON.stringify(message)}`;
  }
}

/** A decision of the planner in a few words, for the trace. */
function describeAction(action: NextAction): string {
  if (action.type === "execute-tools") {
    const { calls, order } = action;
    return `execute-tools${calls.length > 1 && order === "sequential" ? " in order" : ""}: ${calls.map(({ name }) => name).join(", ")}`;
  }
  return action.type === "done" ? `done: ${action.reason}` : action.type;
}

/** Longest signature that is shown, in UTF-16 units. */
const longestSignature = 2000;

export const shortenSignature = (signature: string): string =>
  signature.length > longestSignature ? `${signature.slice(0, longestSignature)}…` : signature;
