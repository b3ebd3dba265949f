import type { NodeResult } from "../events/event-recorder";
import { requestHumanInput } from "../loop/request-human-input";
import type { PlanNodeOf } from "../plan/plan-node";
import { ScopeStop } from "../scope/cancel-scope";
import type { NodeRun } from "../scope/engine";
import { toFailure, toStopped, toSuccess } from "../scope/node-result";
import { recordNamedNode } from "../scope/record-node";

/** Shows the text to a user: approved, it is the output, maybe edited; rejected, it is kept, and the node fails. */
export const runApproval = (run: NodeRun<PlanNodeOf<"approval">>): Promise<NodeResult> =>
  recordNamedNode(run, async ({ path, scope }, node) => {
    const { engine, input } = run;
    const { name, message: text, timeout_seconds: timeoutSeconds } = run.planNode;
    const message = text === "" ? `May this go on? (${name})` : text;
    const request = { type: "approval", node, path, message, text: input } as const;
    const answer = await requestHumanInput(engine, scope, request, timeoutSeconds);
    if (answer instanceof ScopeStop) return { ...toStopped(answer), output: input };
    const { decision, by: user, reason, text: editedText } = answer;
    if (decision === "approved") return toSuccess(editedText ?? input);
    const explanation = reason ? `: ${reason}` : ".";
    return { ...toFailure({ code: "rejected", message: `${user} rejected "${name}"${explanation}` }), output: input };
  });
