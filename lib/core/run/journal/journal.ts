import { countBytes } from "../events/count-bytes";
import type { NodeResult } from "../events/event-recorder";
import type { HumanInputAnswer, RunEvent, RunEventOf, RunNodeKind } from "../events/events";
import { isCallKind } from "../events/run-node-traits";

/** A RunNode as an earlier executor of the run recorded it. */
export interface JournalStep {
  id: number;
  kind: RunNodeKind;
  /** Null: it had not ended. */
  result: NodeResult | null;
  /** How many attempts had failed, and how many of them because their executor stopped. */
  failedAttempts: number;
  interruptedAttempts: number;
  /** How many attempts had failed without an answer, because their executor or their connection ended. */
  unansweredAttempts: number;
  /** Whether the request of an attempt that has no end was sent. */
  isRequestSent: boolean;
  /** What was streamed by that attempt, and by all that ended because their executor stopped: in UTF-8 bytes. */
  streamedBytes: { current: number; interrupted: number };
  /** Notes as `code: message`, in order. */
  notes: string[];
  /** The number of the last question to a person, and the answer to it. */
  question: number | null;
  answer: HumanInputAnswer | null;
  /** The side that a branch took. */
  decision: string | null;
  /** agent: messages that it received, each with the number of the model call that first saw it. */
  messages: { call: number; text: string }[];
  /** agent: how many model calls had begun. */
  calls: number;
}

/** An error code of attempts that ended because the process that made them did. */
export const interruptedCode = "interrupted";

/** Whether an attempt failed although its provider may have performed it. */
export const isUnanswered = ({ code }: { code: string }): boolean => code === interruptedCode || code === "network";

/**
 * What earlier executors of a run recorded, by the stable paths of its nodes. An engine that gets it continues the run:
 * what has ended is taken from here and not done again, and the numbers of events and nodes go on.
 */
export class Journal {
  /** The numbers of the stored messages that agents have read. */
  readonly deliveredMessages = new Set<number>();
  readonly #steps = new Map<string, JournalStep>();
  readonly #byId = new Map<number, JournalStep>();
  /** The number and the time of the last event. */
  seq = 0;
  time = 0;
  lastNodeId = 0;
  /** How long executors worked on the run, in milliseconds. */
  elapsedMs = 0;
  /** How often the run was resumed since a node ended last. Not counted: it was paused, or only waiting for a person. */
  resumesWithoutProgress = 0;
  #isPaused = false;

  /** Takes the next event of the run. */
  add(event: RunEvent): void {
    if (event.type !== "run.resumed" && this.time > 0) this.elapsedMs += event.at - this.time;
    this.seq = event.seq;
    this.time = event.at;
    if (event.type === "run.resumed") this.resumesWithoutProgress += Number(!this.#isPaused && !this.#isOnlyWaiting());
    else if (event.type === "node.started") this.#start(event);
    else if ("id" in event) this.#change(this.#byId.get(event.id), event);
    this.#isPaused = event.type === "run.paused";
  }

  find(path: string): JournalStep | undefined {
    return this.#steps.get(path);
  }

  /** Whether the node has this note; true once for each time that it was made. */
  takeNote(id: number, code: string, message: string): boolean {
    const notes = this.#byId.get(id)?.notes ?? [];
    const index = notes.indexOf(toNote(code, message));
    if (index >= 0) notes.splice(index, 1);
    return index >= 0;
  }

  /** The last question of a node that has not ended, and the answer to it: once. */
  takeQuestion(path: string): { question: number; answer: HumanInputAnswer | null } | undefined {
    const step = this.#steps.get(path);
    if (!step || step.result || step.question === null) return undefined;
    const { question, answer } = step;
    step.question = null;
    return { question, answer };
  }

  /** The steps that have ended. */
  *listEnded(): Generator<JournalStep & { result: NodeResult }> {
    for (const step of this.#byId.values()) if (step.result) yield { ...step, result: step.result };
  }

  /** Replaces the result of a step by one whose texts are whole. */
  setResult(id: number, result: NodeResult): void {
    const step = this.#byId.get(id);
    if (step) step.result = result;
  }

  /** Whether the run waits for a person, and no call of it is under way. */
  #isOnlyWaiting(): boolean {
    const open = [...this.#byId.values()].filter(({ result }) => result === null);
    const isWaiting = ({ question, answer }: JournalStep): boolean => question !== null && answer === null;
    return open.some(isWaiting) && open.every((step) => isWaiting(step) || !isCallKind(step.kind));
  }

  #start({ id, parent, path, kind }: RunEventOf<"node.started">): void {
    const step: JournalStep = {
      id,
      kind,
      result: null,
      failedAttempts: 0,
      interruptedAttempts: 0,
      unansweredAttempts: 0,
      isRequestSent: false,
      streamedBytes: { current: 0, interrupted: 0 },
      notes: [],
      question: null,
      answer: null,
      decision: null,
      messages: [],
      calls: 0,
    };
    this.lastNodeId = Math.max(this.lastNodeId, id);
    this.#steps.set(path, step);
    this.#byId.set(id, step);
    const above = parent === undefined ? undefined : this.#byId.get(parent);
    if (above && kind === "llm_call" && !path.endsWith("#fallback")) above.calls++;
  }

  #change(step: JournalStep | undefined, event: RunEvent): void {
    if (!step) return;
    switch (event.type) {
      case "request.sent":
        step.isRequestSent = true;
        break;
      case "text.appended":
      case "reasoning.appended":
        step.streamedBytes.current += countBytes(event.text);
        break;
      case "attempt.failed":
        step.failedAttempts = event.attempt;
        if (event.error.code === interruptedCode) {
          step.interruptedAttempts++;
          step.streamedBytes.interrupted += step.streamedBytes.current;
        }
        step.streamedBytes.current = 0;
        if (isUnanswered(event.error)) step.unansweredAttempts++;
        step.isRequestSent = false;
        break;
      case "node.noted":
        step.notes.push(toNote(event.code, event.message));
        break;
      case "message.injected":
        step.messages.push({ call: step.calls + 1, text: event.text });
        if (event.message !== undefined) this.deliveredMessages.add(event.message);
        break;
      case "answer.requested":
        step.question = event.seq;
        step.answer = null;
        break;
      case "answer.given":
        step.answer = event.answer;
        break;
      case "decision.made":
        step.decision = event.decision;
        break;
      case "node.finished":
        step.result = toResult(event);
        this.resumesWithoutProgress = 0;
        break;
      default:
    }
  }
}

const toNote = (code: string, message: string): string => `${code}: ${message}`;

const isEnded = (status: string): status is NodeResult["status"] =>
  status === "SUCCESS" || status === "FAILED" || status === "TIMEOUT" || status === "CANCELLED";

function toResult({
  status,
  output,
  usage,
  error,
  metadata,
  simulated,
}: RunEventOf<"node.finished">): NodeResult | null {
  if (!isEnded(status)) return null;
  return {
    status,
    output: output.text,
    usage,
    simulated: simulated ?? false,
    ...(error && { error }),
    ...(metadata && { metadata }),
  };
}
