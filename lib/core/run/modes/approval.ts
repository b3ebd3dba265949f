import { answererWords } from "../events/answerer-words";
import type { NodeResult } from "../events/event-recorder";
import { findEditedText } from "../journal/journal";
import { describeChanges } from "../loop/describe-changes";
import { requestHumanInput } from "../loop/request-human-input";
import type { PlanNodeOf } from "../plan/plan-node";
import { ScopeStop } from "../scope/cancel-scope";
import type { NodeRun } from "../scope/engine";
import { toFailure, toStopped, toSuccess } from "../scope/node-result";
import { recordNamedNode } from "../scope/record-node";

/**
 * Shows the text to a user: approved, it is the output, maybe edited; rejected, it is kept, and the node fails. In a fork
 * whose changes withdrew an approval, the text that was approved is shown again, and cannot be edited.
 */
export const runApproval = (run: NodeRun<PlanNodeOf<"approval">>): Promise<NodeResult> =>
  recordNamedNode(run, async ({ path, scope }, node) => {
    const { engine, input } = run;
    const { name, message: text, timeout_seconds: timeoutSeconds } = run.planNode;
    const step = engine.options.journal?.find(path);
    const isFixed = step?.questions.some(({ isWithdrawn }) => isWithdrawn) ?? false;
    const shown = (isFixed && step && findEditedText(step, "approval")?.text) || input;
    const fixed = isFixed ? { fixed: true } : {};
    const changes = describeChanges(engine, path);
    let message = text === "" ? `May this go on? (${name})` : text;
    for (;;) {
      const request = { type: "approval", node, path, message: `${message}${changes}`, text: shown, ...fixed } as const;
      const answer = await requestHumanInput(engine, scope, request, timeoutSeconds);
      if (answer instanceof ScopeStop) return { ...toStopped(answer), output: shown };
      const { decision, by: user, reason, text: editedText = shown } = answer;
      if (decision === "approved" && (!isFixed || editedText === shown)) return toSuccess(editedText);
      const explanation = reason ? `: ${reason}` : ".";
      if (decision === "rejected")
        return {
          ...toFailure({ code: "rejected", message: `${user}${answererWords.rejected}"${name}"${explanation}` }),
          output: shown,
        };
      message = `The text cannot be changed here: steps after "${name}" are reused. Approve it as it is, or reject it.`;
    }
  });
