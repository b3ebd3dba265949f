import type { Json } from "../../flow/flow";
import type { EventChannel } from "./event-channel";
import type { DroppedParameter, HumanInputAnswer, HumanInputRequest, RunError, RunEvent, RunEventOf } from "./events";
import type { RunStatus } from "./run-status";
import type { Usage } from "./usage";
import { WorkClock } from "./work-clock";

/** What is known of a node when it starts. */
export interface NodeStart extends Pick<RunEventOf<"node.started">, "parent" | "path" | "kind" | "name"> {
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

interface SentRequest extends Pick<RunEventOf<"request.sent">, "provider" | "url"> {
  body: string;
  dropped?: readonly DroppedParameter[];
}

interface FailedAttempt extends Pick<RunEventOf<"attempt.failed">, "attempt" | "error"> {
  waitMs?: number | undefined;
  usage: Usage | undefined;
}

/** What earlier executors of the run recorded. */
interface RecordedEvents {
  /** The number and the time of the last event. */
  seq: number;
  time: number;
  lastNodeId: number;
  workClock: WorkClock;
  /** Whether the node has this note; true once for each time that it was made. */
  takeNote(id: number, code: string, message: string): boolean;
}

/** Streams and steps wait for the consumer while more events than this are undelivered, or longer texts, in UTF-16 units. */
const maxBacklog = { events: 1000, units: 4_000_000 };

/** Numbers and dates the events of one run, and adds them to its channel. */
export class EventRecorder {
  readonly #channel: EventChannel;
  readonly #now: () => number;
  readonly #journal: RecordedEvents | undefined;
  readonly #workClock: WorkClock;
  #lastSeq: number;
  #lastTime: number;
  #lastNodeId: number;

  /** Continues after the events in the journal, if there are any. */
  constructor(channel: EventChannel, now: () => number, journal?: RecordedEvents) {
    this.#channel = channel;
    this.#now = now;
    this.#journal = journal;
    this.#workClock = journal?.workClock ?? new WorkClock();
    this.#lastSeq = journal?.seq ?? 0;
    this.#lastTime = journal?.time ?? 0;
    this.#lastNodeId = journal?.lastNodeId ?? 0;
  }

  startRun(
    flow: string,
    input: string,
    { simulated = false, parameters = {} }: Pick<RunEventOf<"run.started">, "simulated" | "parameters">,
  ): void {
    this.#record({
      seq: 0,
      at: 0,
      type: "run.started",
      input: { text: input },
      flow,
      ...(simulated && { simulated }),
      ...(Object.values(parameters).some((value) => value !== undefined) && { parameters }),
    });
  }

  pauseRun(): void {
    this.#record({ seq: 0, at: 0, type: "run.paused" });
  }

  resumeRun(): void {
    this.#record({ seq: 0, at: 0, type: "run.resumed" });
  }

  finishRun({ status, output, usage, error, simulated }: NodeResult): void {
    this.#record({ seq: 0, at: 0, type: "run.finished", status, output: { text: output }, usage, error, simulated });
  }

  /** How many nodes began, in all processes of the run. */
  get stepCount(): number {
    return this.#lastNodeId;
  }

  /** How long the run has worked, in all its processes, in milliseconds. */
  get workedMs(): number {
    return this.#workClock.workedMs(this.#now());
  }

  /** Returns the id of the new node. */
  startNode({ parent, path, kind, name, input }: NodeStart): number {
    const id = ++this.#lastNodeId;
    this.#record({ seq: 0, at: 0, type: "node.started", id, parent, path, kind, name, input: { text: input } });
    return id;
  }

  finishNode(id: number, { status, output, usage, error, metadata, simulated }: NodeResult): void {
    this.#record({
      seq: 0,
      at: 0,
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
    this.#record({ seq: 0, at: 0, type: "request.sent", id, ...request });
  }

  receiveResponse(id: number, body: string): void {
    this.#record({ seq: 0, at: 0, type: "response.received", id, body: { text: body } });
  }

  append(id: number, kind: "text" | "reasoning", text: string): void {
    this.#record({ seq: 0, at: 0, type: kind === "text" ? "text.appended" : "reasoning.appended", id, text });
  }

  failAttempt(id: number, { attempt, error, waitMs, usage }: FailedAttempt): void {
    const used = usage !== undefined && usage.calls > 0 ? { usage } : {};
    this.#record({ seq: 0, at: 0, type: "attempt.failed", id, attempt, error, waitMs, ...used });
  }

  queueAttempt(id: number, waitMs: number): void {
    this.#record({ seq: 0, at: 0, type: "attempt.queued", id, waitMs });
  }

  /** A note that an earlier executor made is not made again. */
  note(id: number, code: string, message: string): void {
    if (this.#journal?.takeNote(id, code, message)) return;
    this.#record({ seq: 0, at: 0, type: "node.noted", id, code, message });
  }

  decide(id: number, decision: string): void {
    this.#record({ seq: 0, at: 0, type: "decision.made", id, decision });
  }

  injectMessage(
    id: number,
    { text, by, number }: { text: string; by?: string | undefined; number?: number | undefined },
  ): void {
    const origin = { ...(by !== undefined && { by }), ...(number !== undefined && { message: number }) };
    this.#record({ seq: 0, at: 0, type: "message.injected", id, text, ...origin });
  }

  /** Returns the sequence of the event, which is the number of the question. */
  requestAnswer(id: number, request: HumanInputRequest): number {
    this.#record({ seq: 0, at: 0, type: "answer.requested", id, request });
    return this.#lastSeq;
  }

  giveAnswer(id: number, answer: HumanInputAnswer): void {
    this.#record({ seq: 0, at: 0, type: "answer.given", id, answer });
  }

  /** Resolves once the consumer has processed every event recorded so far. */
  settled(): Promise<void> {
    return this.#channel.processed(this.#lastSeq);
  }

  /** True when a stream should wait for the consumer before it continues, and a step before it begins. */
  get isFull(): boolean {
    return this.#channel.backlog > maxBacklog.events || this.#channel.backlogUnits > maxBacklog.units;
  }

  /**
   * Numbers and dates the event in place: a copy of an event takes longer than everything else here together. The run and
   * its first step begin and end at the same moments, so that both take equally long.
   */
  #record(event: RunEvent): void {
    const isAtLastTime = event.type === "run.finished" || (event.type === "node.started" && event.id === 1);
    if (!isAtLastTime || this.#lastTime === 0) this.#lastTime = Math.max(this.#lastTime, this.#now());
    event.seq = ++this.#lastSeq;
    event.at = this.#lastTime;
    this.#workClock.take(event);
    this.#channel.put(event);
  }
}
