import type { RunEvent, RunEventOf, RunNodeKind } from "./events";
import { isAgentKind } from "./run-node-traits";
import type { RunStatus } from "./run-status";
import type { Usage } from "./usage";

/** The public events of a run: fewer and simpler than its RunEvents. Each has the path of its node. */
export type StreamEvent = { path: string } & (
  | { type: "text"; agent: string; text: string }
  | { type: "reasoning"; agent: string; text: string }
  | { type: "tool_call"; agent: string; name: string; arguments: string }
  | { type: "tool_result"; agent: string; name: string; result: string; isError: boolean; ms: number }
  /** One turn of an agent: a model call with the tool calls that it requested. */
  | { type: "step"; agent: string; number: number; phase: "started" | "completed" }
  | { type: "status"; kind: RunNodeKind | "run"; name: string; status: RunStatus; reason?: string }
  | { type: "usage"; agent: string; usage: Usage }
  | { type: "error"; code: string; message: string }
);
export type StreamEventType = StreamEvent["type"];

export const streamEventTypes = [
  "text",
  "reasoning",
  "tool_call",
  "tool_result",
  "step",
  "status",
  "usage",
  "error",
] as const satisfies readonly StreamEventType[];

/** A node that is running; `agent`: the agent that it is, or belongs to. */
type OpenNode = RunEventOf<"node.started"> & { agent: string };

/** Converts the events of one run, in their order, to those of the public stream. Retains open nodes only. */
export class PublicStream {
  readonly #types: ReadonlySet<StreamEventType>;
  readonly #nodes = new Map<number, OpenNode>();
  /** By agent node: its open turn, with the path of the model call that began it. */
  readonly #turns = new Map<number, { number: number; path: string }>();
  #flow = "";

  /** `only`: the types to return; all when missing. */
  constructor(only: readonly StreamEventType[] = streamEventTypes) {
    this.#types = new Set(only);
  }

  take(event: RunEvent): StreamEvent[] {
    return this.#convert(event).filter(({ type }) => this.#types.has(type));
  }

  #convert(event: RunEvent): StreamEvent[] {
    switch (event.type) {
      case "run.started":
        this.#flow = event.flow;
        return [this.#toRunStatus("RUNNING")];
      case "run.paused":
        return [this.#toRunStatus("PAUSED")];
      case "run.resumed":
        return [this.#toRunStatus("RUNNING")];
      case "node.started":
        return this.#startNode(event);
      case "text.appended":
      case "reasoning.appended":
        return this.#appendText(event);
      case "attempt.failed": {
        const { code, message } = event.error;
        return [{ type: "error", path: this.#nodes.get(event.id)?.path ?? "/", code, message }];
      }
      case "answer.requested":
        return this.#changeStatus(event.id, "WAITING", event.request.message);
      case "answer.given":
        return this.#changeStatus(event.id, "RUNNING");
      case "node.finished":
        return this.#finishNode(event);
      case "run.finished":
        return finishRun(event);
      default:
        return [];
    }
  }

  #toRunStatus(status: RunStatus): StreamEvent {
    return { type: "status", path: "/", kind: "run", name: this.#flow, status };
  }

  #startNode(event: RunEventOf<"node.started">): StreamEvent[] {
    const { parent = 0, kind, path, name } = event;
    const parentNode = this.#nodes.get(parent);
    const agent = isAgentKind(kind) ? name : (parentNode?.agent ?? name);
    this.#nodes.set(event.id, { ...event, agent });
    if (kind === "tool_call") return [{ type: "tool_call", path, agent, name, arguments: event.input.text }];
    if (kind !== "llm_call") return [{ type: "status", path, kind, name, status: "RUNNING" }];
    // Another model takes over the same turn.
    if (path.endsWith("#fallback")) return [];
    // A turn is completed when the next one starts, or with its agent: its tool calls belong to it.
    const completed = parentNode ? this.#completeTurn(parentNode) : [];
    const number = (this.#turns.get(parent)?.number ?? 0) + 1;
    this.#turns.set(parent, { number, path });
    return [...completed, { type: "step", path, agent, number, phase: "started" }];
  }

  #completeTurn({ id, agent }: OpenNode): StreamEvent[] {
    const turn = this.#turns.get(id);
    return turn ? [{ type: "step", ...turn, agent, phase: "completed" }] : [];
  }

  #appendText({ id, type, text }: RunEventOf<"text.appended" | "reasoning.appended">): StreamEvent[] {
    const node = this.#nodes.get(id);
    if (!node) return [];
    return [{ type: type === "text.appended" ? "text" : "reasoning", path: node.path, agent: node.agent, text }];
  }

  #changeStatus(id: number, status: RunStatus, reason?: string): StreamEvent[] {
    const node = this.#nodes.get(id);
    if (!node) return [];
    const { path, kind, name } = node;
    return [{ type: "status", path, kind, name, status, ...(reason !== undefined && { reason }) }];
  }

  #finishNode(event: RunEventOf<"node.finished">): StreamEvent[] {
    const { id, status, error, usage, output } = event;
    const node = this.#nodes.get(id);
    if (!node) return [];
    this.#nodes.delete(id);
    const { path, kind, name, agent } = node;
    if (kind === "llm_call") return [{ type: "usage", path, agent, usage }];
    if (kind === "tool_call") {
      const isError = status !== "SUCCESS";
      return [{ type: "tool_result", path, agent, name, result: output.text, isError, ms: event.at - node.at }];
    }
    const completed = this.#completeTurn(node);
    this.#turns.delete(id);
    return [...completed, { type: "status", path, kind, name, status, ...(error && { reason: error.message }) }];
  }
}

function finishRun({ status, error }: RunEventOf<"run.finished">): StreamEvent[] {
  const errors: StreamEvent[] = error
    ? [{ type: "error", path: error.path ?? "/", code: error.code, message: error.message }]
    : [];
  const reason = error && { reason: error.message };
  return [...errors, { type: "status", path: "/", kind: "run", name: "", status, ...reason }];
}

/** The public stream of a run. `only` filters it without affecting the run. */
export async function* toPublicStream(
  events: AsyncIterable<RunEvent>,
  only?: readonly StreamEventType[],
): AsyncGenerator<StreamEvent, void> {
  const stream = new PublicStream(only);
  for await (const event of events) yield* stream.take(event);
}
