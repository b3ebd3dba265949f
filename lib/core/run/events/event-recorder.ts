import type { Json } from "../../flow/flow";
import type { EventChannel } from "./event-channel";
import type {
  DroppedParameter,
  HumanInputAnswer,
  HumanInputRequest,
  RunError,
  RunEvent,
  RunEventOf,
  RunNodeKind,
  RunStatus,
} from "./events";
import type { Usage } from "./usage";

/** What a step is, before it runs. */
export interface NodeStart {
  /** Missing for the root swarm. */
  parent?: number;
  path: string;
  kind: RunNodeKind;
  name: string;
  input: string;
}

/** How a step, or the run, ended. */
export interface NodeResult {
  status: Extract<RunStatus, "SUCCESS" | "FAILED" | "TIMEOUT" | "CANCELLED">;
  /** What flows on; of a failure what there was until then. */
  output: string;
  usage: Usage;
  simulated: boolean;
  error?: RunError;
  /** The answer by its schema, where the agent has one. */
  value?: Json;
  metadata?: RunEventOf<"node.finished">["metadata"];
}

interface SentRequest {
  provider: string;
  url: string;
  body: string;
  dropped?: readonly DroppedParameter[];
}

/** A stream waits for the consumer when more events than this are not delivered yet. */
const mostBacklog = 1000;

/** Numbers and dates the events of one run, and puts them into its channel. */
export class EventRecorder {
  readonly #channel: EventChannel;
  readonly #now: () => number;
  #seq = 0;
  #at = 0;
  #id = 0;

  constructor(channel: EventChannel, now: () => number) {
    this.#channel = channel;
    this.#now = now;
  }

  startRun(flow: string, input: string): void {
    this.#put({ seq: ++this.#seq, at: this.#time(), type: "run.started", input: { text: input }, flow });
  }

  finishRun({ status, output, usage, error, simulated }: NodeResult): void {
    this.#put({
      seq: ++this.#seq,
      at: this.#time(),
      type: "run.finished",
      status,
      output: { text: output },
      usage,
      error,
      simulated,
    });
  }

  /** Returns the id of the new node. */
  startNode({ parent, path, kind, name, input }: NodeStart): number {
    const id = ++this.#id;
    const [seq, at] = [++this.#seq, this.#time()];
    this.#put({ seq, at, type: "node.started", id, parent, path, kind, name, input: { text: input } });
    return id;
  }

  finishNode(id: number, { status, output, usage, error, metadata, simulated }: NodeResult): void {
    this.#put({
      seq: ++this.#seq,
      at: this.#time(),
      type: "node.finished",
      id,
      status,
      output: { text: output },
      usage,
      error,
      metadata,
      simulated,
    });
  }

  sendRequest(id: number, { provider, url, body, dropped = [] }: SentRequest): void {
    const [seq, at] = [++this.#seq, this.#time()];
    const request = { provider, url, body: { text: body }, ...(dropped.length > 0 && { dropped: [...dropped] }) };
    this.#put({ seq, at, type: "request.sent", id, ...request });
  }

  receiveResponse(id: number, body: string): void {
    this.#put({ seq: ++this.#seq, at: this.#time(), type: "response.received", id, body: { text: body } });
  }

  append(id: number, kind: "text" | "reasoning", text: string): void {
    const type = kind === "text" ? "text.appended" : "reasoning.appended";
    this.#put({ seq: ++this.#seq, at: this.#time(), type, id, text });
  }

  failAttempt(id: number, attempt: number, error: RunError, waitMs?: number): void {
    this.#put({ seq: ++this.#seq, at: this.#time(), type: "attempt.failed", id, attempt, error, waitMs });
  }

  queueAttempt(id: number, waitMs: number): void {
    this.#put({ seq: ++this.#seq, at: this.#time(), type: "attempt.queued", id, waitMs });
  }

  note(id: number, code: string, message: string): void {
    this.#put({ seq: ++this.#seq, at: this.#time(), type: "node.noted", id, code, message });
  }

  injectMessage(id: number, text: string, by?: string): void {
    const [seq, at] = [++this.#seq, this.#time()];
    this.#put({ seq, at, type: "message.injected", id, text, ...(by !== undefined && { by }) });
  }

  /** Returns the number of the event: the number of the question. */
  requestAnswer(id: number, request: HumanInputRequest): number {
    const seq = ++this.#seq;
    this.#put({ seq, at: this.#time(), type: "answer.requested", id, request });
    return seq;
  }

  giveAnswer(id: number, answer: HumanInputAnswer): void {
    this.#put({ seq: ++this.#seq, at: this.#time(), type: "answer.given", id, answer });
  }

  /** Resolves once the consumer has taken in every event recorded up to now. */
  settled(): Promise<void> {
    return this.#channel.taken(this.#seq);
  }

  /** True when a stream should wait for the consumer before it goes on. */
  get isFull(): boolean {
    return this.#channel.backlog > mostBacklog;
  }

  #time(): number {
    this.#at = Math.max(this.#at, this.#now());
    return this.#at;
  }

  #put(event: RunEvent): void {
    this.#channel.put(event);
  }
}
