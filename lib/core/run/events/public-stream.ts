import type { RunEvent, RunEventOf, RunNodeKind, RunStatus } from "./events";
import type { Usage } from "./usage";

/** What a run says to whoever follows it from outside: fewer and plainer than its RunEvents. Each has the path of its step. */
export type StreamEvent = { path: string } & (
  | { type: "text"; agent: string; text: string }
  | { type: "reasoning"; agent: string; text: string }
  | { type: "tool_call"; agent: string; name: string; arguments: string }
  | { type: "tool_result"; agent: string; name: string; result: string; isError: boolean; ms: number }
  /** One model call of an agent with the tools that it asked for. */
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

type NodeStarted = RunEventOf<"node.started">;

/** Turns the events of one run, in their order, into those of the public stream. Keeps what it needs of open steps only. */
export class PublicStream {
  readonly #wanted: ReadonlySet<StreamEventType>;
  readonly #nodes = new Map<number, NodeStarted & { agent: string }>();
  /** By agent node: the number of its open step. */
  readonly #steps = new Map<number, number>();

  /** `only`: which types to tell; none of them when empty, all when missing. */
  constructor(only: readonly StreamEventType[] = streamEventTypes) {
    this.#wanted = new Set(only);
  }

  take(event: RunEvent): StreamEvent[] {
    return this.#tell(event).filter(({ type }) => this.#wanted.has(type));
  }

  #tell(event: RunEvent): StreamEvent[] {
    switch (event.type) {
      case "run.started":
        return [{ type: "status", path: "/", kind: "run", name: event.flow, status: "RUNNING" }];
      case "node.started":
        return this.#start(event);
      case "text.appended":
      case "reasoning.appended":
        return this.#say(event);
      case "attempt.failed":
        return this.#fail(event.id, event.error.code, event.error.message);
      case "answer.requested":
        return this.#change(event.id, "WAITING", event.request.message);
      case "answer.given":
        return this.#change(event.id, "RUNNING");
      case "node.finished":
        return this.#finish(event);
      case "run.finished":
        return this.#end(event);
      default:
        return [];
    }
  }

  #start(event: NodeStarted): StreamEvent[] {
    const above = event.parent === undefined ? undefined : this.#nodes.get(event.parent);
    const agent = event.kind === "agent" ? event.name : (above?.agent ?? event.name);
    this.#nodes.set(event.id, { ...event, agent });
    const { kind, path, name } = event;
    if (kind === "tool_call") return [{ type: "tool_call", path, agent, name, arguments: event.input.text }];
    if (kind !== "llm_call") return [{ type: "status", path, kind, name, status: "RUNNING" }];
    const number = (this.#steps.get(event.parent ?? 0) ?? 0) + 1;
    this.#steps.set(event.parent ?? 0, number);
    return [...this.#completeStep(event.parent, number - 1), { type: "step", path, agent, number, phase: "started" }];
  }

  /** A step ends when the next one begins, or with its agent: its tools belong to it. */
  #completeStep(id: number | undefined, number: number): StreamEvent[] {
    const agent = id === undefined ? undefined : this.#nodes.get(id);
    if (!agent || number < 1) return [];
    return [{ type: "step", path: `${agent.path}#llm-${number}`, agent: agent.agent, number, phase: "completed" }];
  }

  #say({ id, type, text }: RunEventOf<"text.appended" | "reasoning.appended">): StreamEvent[] {
    const node = this.#nodes.get(id);
    if (!node) return [];
    return [{ type: type === "text.appended" ? "text" : "reasoning", path: node.path, agent: node.agent, text }];
  }

  #fail(id: number, code: string, message: string): StreamEvent[] {
    const path = this.#nodes.get(id)?.path ?? "/";
    return [{ type: "error", path, code, message }];
  }

  #change(id: number, status: RunStatus, reason?: string): StreamEvent[] {
    const node = this.#nodes.get(id);
    if (!node) return [];
    const { path, kind, name } = node;
    return [{ type: "status", path, kind, name, status, ...(reason !== undefined && { reason }) }];
  }

  #finish(event: RunEventOf<"node.finished">): StreamEvent[] {
    const node = this.#nodes.get(event.id);
    if (!node) return [];
    this.#nodes.delete(event.id);
    const { path, kind, name, agent } = node;
    const { status, error, usage, output } = event;
    if (kind === "llm_call") return [{ type: "usage", path, agent, usage }];
    if (kind === "tool_call") {
      const isError = status !== "SUCCESS";
      return [{ type: "tool_result", path, agent, name, result: output.text, isError, ms: event.at - node.at }];
    }
    const steps = this.#completeOpen(event.id, { path, agent });
    return [...steps, { type: "status", path, kind, name, status, ...(error && { reason: error.message }) }];
  }

  #completeOpen(id: number, { path, agent }: { path: string; agent: string }): StreamEvent[] {
    const number = this.#steps.get(id);
    this.#steps.delete(id);
    if (number === undefined) return [];
    return [{ type: "step", path: `${path}#llm-${number}`, agent, number, phase: "completed" }];
  }

  #end({ status, error }: RunEventOf<"run.finished">): StreamEvent[] {
    const errors = error
      ? [{ type: "error", path: error.path ?? "/", code: error.code, message: error.message } as const]
      : [];
    const reason = error && { reason: error.message };
    return [...errors, { type: "status", path: "/", kind: "run", name: "", status, ...reason }];
  }
}

/** The public stream of a run. `only` filters it; the run goes on all the same. */
export async function* toPublicStream(
  events: AsyncIterable<RunEvent>,
  only?: readonly StreamEventType[],
): AsyncGenerator<StreamEvent, void> {
  const stream = new PublicStream(only);
  for await (const event of events) yield* stream.take(event);
}
