import { colorOfName } from "@/app/_kinds/node-color";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { containsDeclaration, declaredNames } from "@/lib/core/kinds/members";
import type { Session } from "../../state/session";
import { describeName } from "../code/describe-name";
import type { LineVocabulary } from "./complete-line";
import type { FlowBar } from "./flow-bar";
import type { LineEvents } from "./line-editor";

export function applyAndUnlock(bar: FlowBar): void {
  bar.apply();
  bar.unlock();
}

export function toLineEvents({ editor }: Pick<Session, "editor">, bar: FlowBar): LineEvents {
  const flowNow = () => editor.store.getState().flow;
  return {
    onType: bar.type,
    onApply: bar.apply,
    onDiscard: bar.discard,
    onUndo: editor.undo,
    onRedo: editor.redo,
    onPoint: bar.selectNode,
    onNewAgent: bar.addNewAgent,
    onFocus: bar.lock,
    onLeave: () => applyAndUnlock(bar),
    vocabulary: () => toVocabulary(flowNow(), bar.read().owner),
    describe: (name) => describeName(flowNow(), name),
    colorOf: (name) => colorOfName(flowNow(), name),
  };
}

/** Excludes names that would contain the owner. */
function toVocabulary(flow: Flow, owner: string | null): LineVocabulary {
  const fitting = declaredNames(flow).filter(
    (name) => owner === null || (name !== owner && !containsDeclaration(flow, name, owner)),
  );
  return {
    names: fitting.map((name) => ({ name, about: describeName(flow, name)[0] ?? "" })),
    isFree: (name) => findDeclaration(flow, name) === null,
  };
}
