import type { Json } from "../../flow/flow";
import type { RunParameters } from "../../flow/schemas/run-parameters";
import { countBytes } from "../events/count-bytes";
import { countPayloadTokens } from "../events/count-tokens";
import type { NodeResult } from "../events/event-recorder";
import type { HumanInputAnswer, HumanInputRequest, RunEvent, RunEventOf, RunNodeKind } from "../events/events";
import { isDeclaredKind } from "../events/run-node-traits";
import { addUsage, noUsage, type Usage } from "../events/usage";
import { WorkClock } from "../events/work-clock";

/** A question of a node to a person. */
export interface RecordedQuestion {
  /** The sequence of its `answer.requested` event, and its time. */
  number: number;
  at: number;
  request: HumanInputRequest;
  answer: HumanInputAnswer | null;
  /** Its approval was for another run than this one: see `approvalAgainCode`. */
  isWithdrawn: boolean;
}

/** A RunNode as an earlier executor of the run recorded it. */
export interface JournalStep {
  id: number;
  parent: number | undefined;
  path: string;
  kind: RunNodeKind;
  name: string;
  /** The sequence of its `node.started` event. */
  startSeq: number;
  /** Whether the engine that continues the run goes on with it, or took its result. */
  isReached: boolean;
  /** Null: it had not ended. */
  result: NodeResult | null;
  /** How many attempts had failed, and how many of them because their executor stopped. */
  failedAttempts: number;
  interruptedAttempts: number;
  /** How many attempts had failed without an answer, because their executor or their connection ended. */
  unansweredAttempts: number;
  /** llm_call: the tokens of its messages, estimated. */
  inputTokens: number;
  /** Whether the request of an attempt that has no end was sent. */
  isRequestSent: boolean;
  /** What the attempts that failed used, as far as their events have it. */
  attemptUsage: Usage;
  /** Attempts that ended because their executor stopped, and whose events do not have what they used. */
  uncountedAttempts: number;
  /** What was streamed by that attempt, and by all uncounted ones: in UTF-8 bytes. */
  streamedBytes: { current: number; interrupted: number };
  /** Notes as `code: message`, in order. */
  notes: string[];
  /** In their order. */
  questions: RecordedQuestion[];
  /** The side that a branch took. */
  decision: string | null;
  /** agent: messages that it received, each with the number of the model call that first saw it. */
  messages: { call: number; text: string }[];
  /** agent: how many model calls had begun. */
  calls: number;
}

export type EndedStep = JournalStep & { result: NodeResult };

/**
 * The code of the note that withdraws the approvals of a node: they were for what a fork changes. The text that was
 * approved stays as it is, because later steps are reused with it.
 */
export const approvalAgainCode = "approval-again";

/** The last approval with a text of its own, among those that are withdrawn or not. */
export const findEditedText = (
  { questions }: JournalStep,
  type: HumanInputRequest["type"],
): { by: string; text: string } | undefined =>
  questions
    .flatMap(({ request, answer }) =>
      request.type === type && answer?.decision === "approved" && answer.text !== undefined
        ? [{ by: answer.by, text: answer.text }]
        : [],
    )
    .at(-1);

/** How often a run is resumed although no step ended in between: what it does may be what ends its process. */
export const maxResumesWithoutProgress = 3;

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
  /** By declared name: outputs of nodes that succeeded, in the order of their ends. */
  readonly #outputs = new Map<string, { id: number; seq: number; value: Json }[]>();
  readonly #takenQuestions = new Set<number>();
  /** The number and the time of the last event. */
  seq = 0;
  time = 0;
  lastNodeId = 0;
  /** Those that the run began with; null: it had not begun. */
  parameters: RunParameters | null = null;
  /** How long executors worked on the run, in milliseconds. */
  elapsedMs = 0;
  readonly workClock = new WorkClock();
  /** How often the run was resumed since a node ended last. Not counted: it was paused, or only waiting for a person. */
  resumesWithoutProgress = 0;
  #isPaused = false;

  /** Takes the next event of the run. */
  add(event: RunEvent): void {
    if (event.type === "run.started") this.parameters = event.parameters ?? {};
    if (event.type !== "run.resumed" && this.time > 0) this.elapsedMs += event.at - this.time;
    this.workClock.take(event);
    this.seq = event.seq;
    this.time = event.at;
    if (event.type === "run.resumed")
      this.resumesWithoutProgress += Number(!this.#isPaused && !this.workClock.isOnlyWaiting);
    else if (event.type === "node.started") this.#start(event);
    else if ("id" in event) this.#change(this.#byId.get(event.id), event);
    this.#isPaused = event.type === "run.paused";
  }

  /** The step of that path. Versions until 2026-11 gave the second visit of a loop the path of its second round. */
  find(path: string, kind?: RunNodeKind): JournalStep | undefined {
    return this.#steps.get(toStepKey(path, kind));
  }

  /** The step of that path if it had ended: the engine takes its result instead of doing it again. */
  recall(path: string, kind?: RunNodeKind): EndedStep | undefined {
    const step = this.find(path, kind);
    if (!step || !hasEnded(step)) return undefined;
    step.isReached = true;
    return step;
  }

  /** The steps that had not ended, and that no engine went on with. */
  listAbandoned(): JournalStep[] {
    return [...this.#byId.values()].filter(isAbandoned);
  }

  /** All steps, in the order of their starts. */
  listSteps(): JournalStep[] {
    return [...this.#byId.values()];
  }

  /** Outputs of finished nodes by declared name, as they were before that event; missing: now. Of several with one name the one that ended last. */
  outputsBefore(seq = Number.POSITIVE_INFINITY): Map<string, Json> {
    const outputs = new Map<string, Json>();
    for (const [name, ends] of this.#outputs) {
      const last = ends.findLast((end) => end.seq < seq);
      if (last) outputs.set(name, last.value);
    }
    return outputs;
  }

  /** Gives the output of a step the value that it was parsed to, and returns whether it is the latest of its name. */
  setValue(id: number, name: string, value: Json): boolean {
    const ends = this.#outputs.get(name) ?? [];
    const end = ends.find((candidate) => candidate.id === id);
    if (end) end.value = value;
    return end !== undefined && end === ends.at(-1);
  }

  /** Whether the node has this note; true once for each time that it was made. */
  takeNote(id: number, code: string, message: string): boolean {
    const notes = this.#byId.get(id)?.notes ?? [];
    const index = notes.indexOf(toNote(code, message));
    if (index >= 0) notes.splice(index, 1);
    return index >= 0;
  }

  /**
   * The last question of that type that a node has, with the time of its first one: once. An approval of a tool call
   * counts for one execution, so that of these only an open one is returned.
   */
  takeQuestion(path: string, type: HumanInputRequest["type"]): (RecordedQuestion & { firstAt: number }) | undefined {
    const step = this.#steps.get(path);
    if (!step || step.result) return undefined;
    const questions = step.questions.filter(({ request, isWithdrawn }) => request.type === type && !isWithdrawn);
    const [first, last] = [questions[0], questions.at(-1)];
    if (!first || !last || this.#takenQuestions.has(last.number)) return undefined;
    if (type === "tool" && last.answer) return undefined;
    this.#takenQuestions.add(last.number);
    return { ...last, firstAt: first.at };
  }

  /** The steps that have ended. */
  *listEnded(): Generator<EndedStep> {
    for (const step of this.#byId.values()) if (hasEnded(step)) yield step;
  }

  /** The steps whose output was given by the user who forked the run. */
  *listEdited(): Generator<{ path: string; output: string }> {
    for (const { path, result } of this.#byId.values())
      if (result?.metadata?.edited === true) yield { path, output: result.output };
  }

  /** Replaces the result of a step by one whose texts are whole. */
  setResult(id: number, result: NodeResult): void {
    const step = this.#byId.get(id);
    if (!step) return;
    step.result = result;
    this.setValue(id, step.name, result.metadata?.value ?? result.output);
  }

  #keepOutput({ id, name }: JournalStep, { seq, output, metadata }: RunEventOf<"node.finished">): void {
    const ends = this.#outputs.get(name) ?? [];
    this.#outputs.set(name, ends);
    ends.push({ id, seq, value: metadata?.value ?? output.text });
  }

  #start({ id, parent, path, kind, name, input, seq: startSeq }: RunEventOf<"node.started">): void {
    const step: JournalStep = {
      id,
      parent,
      path,
      kind,
      name,
      startSeq,
      isReached: false,
      result: null,
      failedAttempts: 0,
      interruptedAttempts: 0,
      attemptUsage: noUsage,
      uncountedAttempts: 0,
      unansweredAttempts: 0,
      inputTokens: kind === "llm_call" ? countPayloadTokens(input) : 0,
      isRequestSent: false,
      streamedBytes: { current: 0, interrupted: 0 },
      notes: [],
      questions: [],
      decision: null,
      messages: [],
      calls: 0,
    };
    this.lastNodeId = Math.max(this.lastNodeId, id);
    this.#steps.set(toStepKey(path, kind), step);
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
          if (!event.usage) {
            step.uncountedAttempts++;
            step.streamedBytes.interrupted += step.streamedBytes.current;
          }
        }
        if (event.usage) step.attemptUsage = addUsage(step.attemptUsage, event.usage);
        step.streamedBytes.current = 0;
        if (isUnanswered(event.error)) step.unansweredAttempts++;
        step.isRequestSent = false;
        break;
      case "node.noted":
        step.notes.push(toNote(event.code, event.message));
        if (event.code === approvalAgainCode) for (const question of step.questions) question.isWithdrawn = true;
        break;
      case "message.injected":
        step.messages.push({ call: step.calls + 1, text: event.text });
        if (event.message !== undefined) this.deliveredMessages.add(event.message);
        break;
      case "answer.requested":
        step.questions.push({
          number: event.seq,
          at: event.at,
          request: event.request,
          answer: null,
          isWithdrawn: false,
        });
        break;
      case "answer.given":
        giveAnswer(step, event.answer);
        break;
      case "decision.made":
        step.decision = event.decision;
        break;
      case "node.finished":
        step.result = toResult(event);
        if (step.result?.status === "SUCCESS" && isDeclaredKind(step.kind)) this.#keepOutput(step, event);
        this.resumesWithoutProgress = 0;
        break;
      default:
    }
  }
}

const toStepKey = (path: string, kind: RunNodeKind | undefined): string => (kind === "round" ? `round ${path}` : path);

function giveAnswer({ questions }: JournalStep, answer: HumanInputAnswer): void {
  const question = questions.at(-1);
  if (question) question.answer = answer;
}

const hasEnded = (step: JournalStep): step is EndedStep => step.result !== null;

/** Whether it had not ended, and no engine went on with it. */
export const isAbandoned = ({ result, isReached }: JournalStep): boolean => result === null && !isReached;

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
