import type { StepResult } from "../events/event-recorder";
import type { ApprovalStage } from "../plan/plan-node";
import { askPerson } from "../ports/human-input";
import { type Engine, type Place, pathOf, runStep, toFailure, toStopped, toSuccess } from "../scope/engine";

/** Shows the text to a person: approved it goes on, perhaps in other words; rejected it ends here, with the reason. */
export function runApproval(engine: Engine, stage: ApprovalStage, place: Place, input: string): Promise<StepResult> {
  const { name } = stage;
  const path = pathOf(place, name);
  return runStep(engine, { parent: place.parent, path, kind: "approval", name, input }, async (id) => {
    await engine.recorder.settled();
    const message = stage.message === "" ? `May this go on? (${name})` : stage.message;
    const asked = { type: "approval", node: id, path, message, text: input } as const;
    const found = await askPerson(engine, place.scope, asked, stage.timeoutSeconds);
    if (!found.ok) return { ...("stop" in found ? toStopped(found.stop) : toFailure(found.error)), output: input };
    const { decision, by, reason, text } = found.answer;
    if (decision === "approved") return toSuccess(text ?? input);
    const why = reason ? `: ${reason}` : ".";
    return { ...toFailure({ code: "rejected", message: `${by} said no at "${name}"${why}` }), output: input };
  });
}
