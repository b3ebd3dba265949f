import { agentColor } from "@/app/_ui/agent-color";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { declaredNames, holds } from "@/lib/core/flow/members";
import type { Session } from "../../state/session";
import { describeName } from "../code/describe-name";
import type { Bar } from "./bar";
import type { LineVocabulary } from "./complete-line";
import type { LineEvents } from "./line-editor";

/** Leaving the bar applies what was written, as in every other field. */
export function leaveBar(bar: Bar): void {
  bar.apply();
  bar.letGo();
}

/** What the editor of the line asks and says, in terms of the bar and the flow. */
export function toLineEvents({ editor }: Pick<Session, "editor">, bar: Bar): LineEvents {
  const flowNow = () => editor.store.getState().flow;
  return {
    onType: bar.type,
    onApply: bar.apply,
    onTakeBack: bar.takeBack,
    onUndo: editor.undo,
    onRedo: editor.redo,
    onPoint: bar.point,
    onNewAgent: bar.addNewAgent,
    onFocus: bar.hold,
    onLeave: () => leaveBar(bar),
    vocabulary: () => toVocabulary(flowNow(), bar.read().owner),
    describe: (name) => describeName(flowNow(), name),
    colorOf: (name) => (findDeclaration(flowNow(), name)?.kind === "agent" ? agentColor(name) : null),
  };
}

/** Nothing that would hold itself. */
function toVocabulary(flow: Flow, owner: string | null): LineVocabulary {
  const fitting = declaredNames(flow).filter((name) => owner === null || (name !== owner && !holds(flow, name, owner)));
  return {
    names: fitting.map((name) => ({ name, about: describeName(flow, name)[0] ?? "" })),
    isFree: (name) => findDeclaration(flow, name) === null,
  };
}
