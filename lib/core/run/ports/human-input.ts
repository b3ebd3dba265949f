import type { HumanInputAnswer, HumanInputRequest } from "../events/events";

/** A request of a run for human input, with the node that waits for it. */
export interface HumanQuestion extends HumanInputRequest {
  node: number;
  path: string;
}

/** With its number: the sequence of its `answer.requested` event. */
export type NumberedQuestion = HumanQuestion & { question: number };

/** Gets answers from a user. */
export interface HumanInputPort {
  /** Resolves with the answer; rejects when the signal is aborted. */
  ask(request: NumberedQuestion, signal: AbortSignal): Promise<HumanInputAnswer>;
}
