import type { HumanInputAnswer, HumanInputRequest, RunError } from "../events/events";
import type { Engine } from "../scope/engine";
import { type CancelScope, ScopeStop } from "../scope/scope";

/** A question of a run, with the node that waits for it. */
export interface HumanQuestion extends HumanInputRequest {
  node: number;
  path: string;
}

/** With its number: the sequence of the event that asked. */
export type NumberedQuestion = HumanQuestion & { question: number };

/** Whoever answers questions of runs. */
export interface HumanInputPort {
  /** Resolves with the answer; rejects when the signal is aborted. */
  ask(request: NumberedQuestion, signal: AbortSignal): Promise<HumanInputAnswer>;
}

export type HumanInputResult =
  | { ok: true; answer: HumanInputAnswer }
  | { ok: false; stop: ScopeStop }
  | { ok: false; error: RunError };

/** Asks a person on behalf of a node. Siblings go on meanwhile. A question with choices is asked again until one of them is given. */
export async function requestHumanInput(
  { context, recorder }: Engine,
  outer: CancelScope,
  asked: HumanQuestion,
  timeoutSeconds?: number,
): Promise<HumanInputResult> {
  const { humanInput: people } = context;
  if (!people)
    return {
      ok: false,
      error: {
        code: "rejected",
        message: "Nobody can answer here. Start the run in the app, or where somebody is asked.",
      },
    };
  const scope = outer.open();
  if (timeoutSeconds !== undefined) {
    const message = `Nobody answered within ${timeoutSeconds} s.`;
    scope.stopAfter(
      timeoutSeconds,
      new ScopeStop("TIMEOUT", { code: "timeout", message, path: asked.path }),
      context.sleep,
    );
  }
  const { node, path: _, ...request } = asked;
  try {
    for (;;) {
      const question = recorder.requestAnswer(node, request);
      await recorder.settled();
      const answer = await scope.guard(people.ask({ ...asked, question }, scope.signal));
      if (answer instanceof ScopeStop) return { ok: false, stop: answer };
      recorder.giveAnswer(node, answer);
      const fits =
        asked.choices === undefined || answer.decision === "rejected" || asked.choices.includes(answer.text ?? "");
      if (fits) return { ok: true, answer };
    }
  } finally {
    scope.close();
  }
}
