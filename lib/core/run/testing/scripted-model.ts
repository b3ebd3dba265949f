import type { Json } from "../../flow/flow";
import { parseModel } from "../../flow/model-name";
import type { ToolCall } from "../events/messages";
import { noUsage, type Usage } from "../events/usage";
import type { FinishReason, Model, ModelEvent, ModelFailure, ModelNote, ModelPort, ModelRequest } from "../ports/model";
import type { RunContext } from "../ports/run-context";

/** The answer of a scripted model to one call. */
export interface ScriptedTurn {
  /** Milliseconds before the first chunk. */
  delayMs?: number;
  reasoning?: string;
  /** The answer; several chunks are streamed one by one. */
  text?: string | readonly string[];
  /** Milliseconds between the chunks. */
  paceMs?: number;
  /** Requested tools. Text is used as the raw arguments, anything else is written as JSON. */
  calls?: readonly { name: string; arguments?: Json }[];
  /** How the stream ends, after the chunks. Missing: with the answer. */
  end?: ModelFailure | "interrupted" | "throws" | "never";
  finishReason?: FinishReason;
  providerReason?: string;
  notes?: readonly ModelNote[];
  usage?: Partial<Usage>;
  simulated?: boolean;
}

/** The turns of each agent, in the order of its calls; or a function of the request and of the agent's number of earlier calls. */
export type Script =
  | Readonly<Record<string, readonly ScriptedTurn[]>>
  | ((request: ModelRequest, turn: number) => ScriptedTurn);

/**
 * Models for tests that answer from a script, in process. Every request is recorded. A call that the script does not
 * expect fails its agent; `unused` lists the turns that no call used.
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

  /** Every provider exists, except one called `unknown`. */
  find(model: string): { model: Model; name: string; provider: string } | null {
    const { provider, name } = parseModel(model);
    if (provider === "unknown") return null;
    return { model: { stream: (request) => this.#stream(request, provider) }, name, provider };
  }

  /** Requests of one agent, in order. */
  requestsOf(agent: string): ModelRequest[] {
    return this.requests.filter((request) => request.agent === agent);
  }

  /** Unused turns of the script, as `agent: count`. */
  get unused(): string[] {
    if (typeof this.#script === "function") return [];
    return Object.entries(this.#script)
      .map(([agent, turns]) => ({ agent, count: turns.length - (this.#turns.get(agent) ?? 0) }))
      .filter(({ count }) => count > 0)
      .map(({ agent, count }) => `${agent}: ${count}`);
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
    for (const text of toChunks(turn.text)) {
      yield { type: "text", text };
      if (turn.paceMs !== undefined) await this.#sleep(turn.paceMs, request.signal);
    }
    if (turn.end === "interrupted") return;
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

const toChunks = (text: ScriptedTurn["text"]): readonly string[] =>
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
    message: { role: "assistant", content: toChunks(text).join(""), ...(calls.length > 0 && { toolCalls }) },
    finishReason: finishReason ?? (calls.length > 0 ? "tool-calls" : "stop"),
    ...(providerReason !== undefined && { providerReason }),
    ...(notes && { notes }),
    usage: { ...noUsage, calls: 1, ...usage },
    ...(simulated !== undefined && { simulated }),
  };
}
