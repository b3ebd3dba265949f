import type { PersonAnswer, PersonRequest, RunError } from "../events/events";
import type { Engine } from "../scope/engine";
import { type Scope, Stop } from "../scope/scope";

/** A question of a run, with the node that waits for it. */
export interface AskedPerson extends PersonRequest {
  node: number;
  path: string;
}

/** With its number: the sequence of the event that asked. */
export type PersonQuestion = AskedPerson & { question: number };

/** Whoever answers questions of runs. */
export interface PeoplePort {
  /** Resolves with the answer; rejects when the signal is aborted. */
  ask(request: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer>;
}

export type Asked = { ok: true; answer: PersonAnswer } | { ok: false; stop: Stop } | { ok: false; error: RunError };

/** Asks a person on behalf of a node. Siblings go on meanwhile. A question with choices is asked again until one of them is given. */
export async function askPerson(
  { context, recorder }: Engine,
  outer: Scope,
  asked: AskedPerson,
  timeoutSeconds?: number,
): Promise<Asked> {
  const { people } = context;
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
    scope.stopAfter(timeoutSeconds, new Stop("TIMEOUT", { code: "timeout", message, path: asked.path }), context.sleep);
  }
  const { node, path: _, ...request } = asked;
  try {
    for (;;) {
      const question = recorder.requestAnswer(node, request);
      await recorder.settled();
      const answer = await scope.guard(people.ask({ ...asked, question }, scope.signal));
      if (answer instanceof Stop) return { ok: false, stop: answer };
      recorder.giveAnswer(node, answer);
      const fits =
        asked.choices === undefined || answer.decision === "rejected" || asked.choices.includes(answer.text ?? "");
      if (fits) return { ok: true, answer };
    }
  } finally {
    scope.close();
  }
}
