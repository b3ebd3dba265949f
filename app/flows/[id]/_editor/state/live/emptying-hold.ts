import { diffTexts } from "@/lib/core/live/diff-texts";
import type { FlowContent } from "@/lib/core/live/live-document";
import type { Session } from "../session";
import { mergeInto } from "./merge-into";

type EmptyingSession = Pick<Session, "editor" | "autosave" | "live" | "notify">;

/** Whether nothing is left of the flow here, and the user has not agreed yet that nothing stays. */
export function isEmptyingAsked({ autosave }: Pick<Session, "autosave">): boolean {
  const { isEmptied, emptyAllowed } = autosave.store.getState();
  return isEmptied && !emptyAllowed;
}

/** Takes back the emptying that the user has not agreed to, and what came after it. */
export function undoEmptying({ editor, autosave }: Pick<Session, "editor" | "autosave">): void {
  const canUndo = (): boolean => editor.store.getState().history.canUndo;
  while (isEmptyingAsked({ autosave }) && canUndo()) editor.undo();
}

/**
 * Keeps a flow that the user has emptied from the others until the user agrees: nothing is sent, and what they change is not
 * shown here meanwhile. `onEnd` is called once both may follow each other again.
 */
export function createEmptyingHold(
  session: EmptyingSession,
  { readShared, onEnd }: { readShared(): FlowContent; onEnd(): void },
) {
  /** What all had when the user emptied the flow. */
  let base: FlowContent | null = null;
  let isEnding = false;
  const endWhenDecided = (): void => {
    const { text, document } = session.editor.store.getState();
    if (!base || isEnding || document.text !== text || isEmptyingAsked(session)) return;
    isEnding = true;
    showBoth(session, base, readShared());
    [base, isEnding] = [null, false];
    onEnd();
  };
  return {
    isOn: (): boolean => base !== null,
    /** Whether what the editor shows now is not for the others. */
    keepsBack(): boolean {
      if (base === null && isEmptyingAsked(session)) base = readShared();
      endWhenDecided();
      return base !== null;
    },
    stop: session.autosave.store.subscribe(endWhenDecided),
  };
}

/** Shows what others changed meanwhile with what this user did. A flow that someone else changed is not emptied. */
function showBoth({ editor, autosave, live, notify }: EmptyingSession, base: FlowContent, shared: FlowContent): void {
  const isChanged = base.source !== shared.source;
  if (isChanged && autosave.store.getState().isEmptied) {
    undoEmptying({ editor, autosave });
    // Agreed to meanwhile: one step, the last one.
    if (autosave.store.getState().isEmptied) editor.undo();
    notify.info("Someone else changed the flow meanwhile, so it was not emptied.");
  }
  const { text, layout } = editor.store.getState();
  const next = mergeInto(base, { source: text, layout }, shared);
  live.receive(() => editor.receive(diffTexts(text, next.source), next.layout));
}
