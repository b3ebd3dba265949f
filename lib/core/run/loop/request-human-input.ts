import type { HumanInputAnswer } from "../events/events";
import type { HumanQuestion } from "../ports/human-input";
import { type CancelScope, ScopeStop } from "../scope/cancel-scope";
import type { Engine } from "../scope/engine";

/**
 * Requests human input for a node; siblings continue meanwhile. A question with choices is repeated until one of them is
 * chosen. Resolves with the answer, or with the reason why there is none.
 */
export async function requestHumanInput(
  { context, recorder, options: { journal, pause } }: Engine,
  parentScope: CancelScope,
  { node, path, ...request }: HumanQuestion,
  timeoutSeconds?: number,
): Promise<HumanInputAnswer | ScopeStop> {
  const { humanInput } = context;
  if (!humanInput) {
    const message = "No human input is available here. Start the run in the app, or on an interactive terminal.";
    return new ScopeStop("FAILED", { code: "rejected", message });
  }
  const scope = parentScope.open();
  if (timeoutSeconds !== undefined) {
    const message = `No answer was received within ${timeoutSeconds} s.`;
    scope.stopAfter(timeoutSeconds, { code: "timeout", message, path }, context.sleep);
  }
  let asked = journal?.takeQuestion(path);
  try {
    for (;;) {
      const question = asked?.question ?? recorder.requestAnswer(node, request);
      await recorder.settled();
      const ask = () => scope.guard(humanInput.ask({ ...request, node, path, question }, scope.signal));
      const answer = asked?.answer ?? (await (pause ? pause.ask(ask) : ask()));
      if (answer instanceof ScopeStop) return answer;
      if (!asked?.answer) recorder.giveAnswer(node, answer);
      asked = undefined;
      const isValid = answer.decision === "rejected" || request.choices?.includes(answer.text ?? "") !== false;
      if (isValid) return answer;
    }
  } finally {
    scope.close();
  }
}
