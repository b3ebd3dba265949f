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

/** What is known of a node when it starts. */
export interface NodeStart {
  /** Id of the parent node; missing for the root swarm. */
  parent?: number;
  path: string;
  kind: RunNodeKind;
  name: string;
  input: string;
}

/** How a node, or the run, ended. */
export interface NodeResult {
  status: Extract<RunStatus, "SUCCESS" | "FAILED" | "TIMEOUT" | "CANCELLED">;
  /** The output text; of a failure the output so far. */
  output: string;
  usage: Usage;
  simulated: boolean;
  error?: RunError;
  /** The parsed answer, if the agent has an `output_schema`. */
  value?: Json;
  metadata?: RunEventOf<"node.finished">["metadata"];
}

interface SentRequest {
  provider: string;
  url: string;
  body: string;
  dropped?: readonly DroppedParameter[];
}

/** A stream waits for the consumer while more events than this are undelivered. */
const longestBacklog = 1000;

/** Numbers and dates the events of one run, and adds them to its channel. */
export class EventRecorder {
  readonly #channel: EventChannel;
  readonly #now: () => number;
  #lastSeq = 0;
  #lastTime = 0;
  #lastNodeId = 0;

  constructor(channel: EventChannel, now: () => number) {
    this.#channel = channel;
    this.#now = now;
  }

  startRun(flow: string, input: string): void {
    this.#put({ seq: ++this.#lastSeq, at: this.#time(), type: "run.started", input: { text: input }, flow });
  }

  finishRun({ status, output, usage, error, simulated }: NodeResult): void {
    this.#put({
      seq: ++this.#lastSeq,
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
    const id = ++this.#lastNodeId;
    const seq = ++this.#lastSeq;
    this.#put({ seq, at: this.#time(), type: "node.started", id, parent, path, kind, name, input: { text: input } });
    return id;
  }

  finishNode(id: number, { status, output, usage, error, metadata, simulated }: NodeResult): void {
    this.#put({
      seq: ++this.#lastSeq,
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
    const request = { provider, url, body: { text: body }, ...(dropped.length > 0 && { dropped: [...dropped] }) };
    this.#put({ seq: ++this.#lastSeq, at: this.#time(), type: "request.sent", id, ...request });
  }

  receiveResponse(id: number, body: string): void {
    this.#put({ seq: ++this.#lastSeq, at: this.#time(), type: "response.received", id, body: { text: body } });
  }

  append(id: number, kind: "text" | "reasoning", text: string): void {
    const type = kind === "text" ? "text.appended" : "reasoning.appended";
    this.#put({ seq: ++this.#lastSeq, at: this.#time(), type, id, text });
  }

  failAttempt(id: number, attempt: number, error: RunError, waitMs?: number): void {
    this.#put({ seq: ++this.#lastSeq, at: this.#time(), type: "attempt.failed", id, attempt, error, waitMs });
  }

  queueAttempt(id: number, waitMs: number): void {
    this.#put({ seq: ++this.#lastSeq, at: this.#time(), type: "attempt.queued", id, waitMs });
  }

  note(id: number, code: string, message: string): void {
    this.#put({ seq: ++this.#lastSeq, at: this.#time(), type: "node.noted", id, code, message });
  }

  injectMessage(id: number, text: string, sender?: string): void {
    const fields = { id, text, ...(sender !== undefined && { by: sender }) };
    this.#put({ seq: ++this.#lastSeq, at: this.#time(), type: "message.injected", ...fields });
  }

  /** Returns the sequence of the event, which is the number of the question. */
  requestAnswer(id: number, request: HumanInputRequest): number {
    const seq = ++this.#lastSeq;
    this.#put({ seq, at: this.#time(), type: "answer.requested", id, request });
    return seq;
  }

  giveAnswer(id: number, answer: HumanInputAnswer): void {
    this.#put({ seq: ++this.#lastSeq, at: this.#time(), type: "answer.given", id, answer });
  }

  /** Resolves once the consumer has processed every event recorded so far. */
  settled(): Promise<void> {
    return this.#channel.processed(this.#lastSeq);
  }

  /** True when a stream should wait for the consumer before it continues. */
  get isFull(): boolean {
    return this.#channel.backlog > longestBacklog;
  }

  #time(): number {
    this.#lastTime = Math.max(this.#lastTime, this.#now());
    return this.#lastTime;
  }

  #put(event: RunEvent): void {
    this.#channel.put(event);
  }
}
