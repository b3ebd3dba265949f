import type { Json } from "../../flow/flow";
import { parseModel } from "../../flow/model-name";
import type { ToolCall } from "../events/messages";
import { noUsage, type Usage } from "../events/usage";
import type { FinishReason, Model, ModelEvent, ModelFailure, ModelNote, ModelPort, ModelRequest } from "../ports/model";
import type { RunContext } from "../ports/run-context";

/** What a scripted model does at one call. */
export interface ScriptedTurn {
  /** Milliseconds before the first piece. */
  delayMs?: number;
  reasoning?: string;
  /** The answer; several pieces are streamed one by one. */
  text?: string | readonly string[];
  /** Milliseconds between the pieces. */
  paceMs?: number;
  /** Tools that it asks for. Text is taken as the raw arguments, anything else is written as JSON. */
  calls?: readonly { name: string; arguments?: Json }[];
  /** How the stream ends, after the pieces. Missing: with the answer. */
  end?: ModelFailure | "cut-off" | "throws" | "never";
  finishReason?: FinishReason;
  providerReason?: string;
  notes?: readonly ModelNote[];
  usage?: Partial<Usage>;
  simulated?: boolean;
}

/** The turns of each agent, in the order of its calls; or a function of the request and of how often the agent asked before. */
export type Script =
  | Readonly<Record<string, readonly ScriptedTurn[]>>
  | ((request: ModelRequest, turn: number) => ScriptedTurn);

/**
 * Models for tests that say what their script says, in process. Every request is kept. A call that the script does not
 * foresee fails its agent with a message that says so; `unused` tells what was foreseen and never asked for.
 */
export class ScriptedModels implements ModelPort {
  /** In the order of the calls. Their signals show what was aborted. */
  readonly requests: ModelRequest[] = [];
  readonly #script: Script;
  readonly #sleep: RunContext["sleep"];
  readonly #turns = new Map<string, number>();

  constructor(script: Script, sleep: RunContext["sleep"]) {
    this.#script = script;
    this.#sleep = sleep;
  }

  /** Every provider is offered, except one called `nobody`. */
  find(model: string): { model: Model; name: string; provider: string } | null {
    const { provider, name } = parseModel(model);
    if (provider === "nobody") return null;
    return { model: { stream: (request) => this.#stream(request, provider) }, name, provider };
  }

  /** Requests of one agent, in order. */
  requestsOf(agent: string): ModelRequest[] {
    return this.requests.filter((request) => request.agent === agent);
  }

  /** Turns of the script that nobody asked for, as `agent: how many`. */
  get unused(): string[] {
    if (typeof this.#script === "function") return [];
    return Object.entries(this.#script)
      .map(([agent, turns]) => ({ agent, left: turns.length - (this.#turns.get(agent) ?? 0) }))
      .filter(({ left }) => left > 0)
      .map(({ agent, left }) => `${agent}: ${left}`);
  }

  async *#stream(request: ModelRequest, provider: string): AsyncGenerator<ModelEvent> {
    const turn = this.#nextTurn(request);
    yield { type: "sent", provider, url: "scripted:", body: JSON.stringify({ model: request.model }) };
    if (!turn) {
      yield toUnexpected(request);
      return;
    }
    if (turn.delayMs !== undefined) await this.#sleep(turn.delayMs, request.signal);
    if (turn.reasoning !== undefined) yield { type: "reasoning", text: turn.reasoning };
    for (const text of toPieces(turn.text)) {
      yield { type: "text", text };
      if (turn.paceMs !== undefined) await this.#sleep(turn.paceMs, request.signal);
    }
    if (turn.end === "cut-off") return;
    if (turn.end === "throws") throw new Error("the script throws here");
    if (turn.end === "never") await new Promise(() => undefined);
    yield typeof turn.end === "object" ? { type: "failed", failure: turn.end } : toDone(turn);
  }

  #nextTurn(request: ModelRequest): ScriptedTurn | undefined {
    this.requests.push(request);
    const number = this.#turns.get(request.agent) ?? 0;
    this.#turns.set(request.agent, number + 1);
    if (typeof this.#script === "function") return this.#script(request, number);
    return Object.hasOwn(this.#script, request.agent) ? this.#script[request.agent]?.[number] : undefined;
  }
}

const toPieces = (text: ScriptedTurn["text"]): readonly string[] =>
  text === undefined ? [] : typeof text === "string" ? [text] : text;

function toUnexpected({ agent, messages }: ModelRequest): ModelEvent {
  const message = `The script has no turn for this call of "${agent}": ${JSON.stringify(messages.at(-1))}`;
  return { type: "failed", failure: { class: "invalid-request", message } };
}

function toDone({ text, calls = [], finishReason, providerReason, notes, usage, simulated }: ScriptedTurn): ModelEvent {
  const toolCalls = calls.map(({ name, arguments: value = {} }, i): ToolCall => {
    return { id: `call-${i + 1}`, name, arguments: typeof value === "string" ? value : JSON.stringify(value) };
  });
  return {
    type: "done",
    message: { role: "assistant", content: toPieces(text).join(""), ...(calls.length > 0 && { toolCalls }) },
    finishReason: finishReason ?? (calls.length > 0 ? "tool-calls" : "stop"),
    ...(providerReason !== undefined && { providerReason }),
    ...(notes && { notes }),
    usage: { ...noUsage, calls: 1, ...usage },
    ...(simulated !== undefined && { simulated }),
  };
}
