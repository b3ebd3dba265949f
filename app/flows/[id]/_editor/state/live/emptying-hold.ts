import { diffTexts } from "@/lib/core/live/diff-texts";
import type { FlowContent } from "@/lib/core/live/live-document";
import { isEmptyingAsked, keepFlow } from "../save/emptying";
import type { Session } from "../session";
import { mergeInto } from "./merge-into";

type EmptyingSession = Pick<Session, "editor" | "autosave" | "live" | "notify">;

/**
 * Keeps a flow that the user has emptied from the others until the user agrees: nothing is sent, and what they change is not
 * shown here meanwhile. `onEnd` is called once both may follow each other again.
 */
export function createEmptyingHold(
  session: EmptyingSession,
  { readShared, onEnd }: { readShared(): FlowContent; onEnd(): void },
) {
  const { store } = session.live;
  store.setState({ held: null });
  let isEnding = false;
  const endWhenDecided = (): void => {
    const { text, document } = session.editor.store.getState();
    const { held } = store.getState();
    if (!held || isEnding || document.text !== text || isEmptyingAsked(session)) return;
    isEnding = true;
    showBoth(session, held, readShared());
    store.setState({ held: null });
    isEnding = false;
    onEnd();
  };
  return {
    /** Goes on with the question of a flow that was emptied before the document was open. `base`: the flow before that. */
    begin: (base: FlowContent): void => store.setState({ held: base }),
    isOn: (): boolean => store.getState().held !== null,
    /** Whether what the editor shows now is not for the others. */
    keepsBack(): boolean {
      if (store.getState().held === null && isEmptyingAsked(session)) store.setState({ held: readShared() });
      endWhenDecided();
      return store.getState().held !== null;
    },
    stop: session.autosave.store.subscribe(endWhenDecided),
  };
}

/** Shows what others changed meanwhile with what this user did. A flow that someone else changed is not emptied. */
function showBoth({ editor, autosave, live, notify }: EmptyingSession, base: FlowContent, shared: FlowContent): void {
  const isChanged = base.source !== shared.source;
  if (isChanged && autosave.store.getState().isEmptied) {
    keepFlow({ editor, autosave, live });
    notify.info("Someone else changed the flow meanwhile, so it was not emptied.");
  }
  const { text, layout } = editor.store.getState();
  const next = mergeInto(base, { source: text, layout }, shared);
  live.receive(() => editor.receive(diffTexts(text, next.source), next.layout));
}
