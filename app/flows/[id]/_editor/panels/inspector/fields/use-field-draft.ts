import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useSession } from "../../../state/session-context";

/** A pause in typing that ends one history entry. */
const pauseMs = 400;

/** The text of a field; `of`: the value of the flow that it was typed over. */
interface FieldDraft {
  of: string;
  text: string;
  /** It was committed while the field is still being edited: the value that results does not replace the text. */
  isCommitted: boolean;
}

/** Writes the text into the flow; `false`: it was refused, and stays in the field to be corrected. */
export type CommitText = (text: string) => unknown;

interface DraftOptions {
  /**
   * `pause`: commits when typing pauses, on Enter and on leaving the field. `leave`: not while typing, for texts of which
   * every intermediate state would change something elsewhere, such as names.
   */
  commitOn?: "pause" | "leave";
}

/**
 * The text of a field while it is edited, apart from the value in the flow. Escape restores the value; a value that
 * changes elsewhere (undo, another pane) shows at once. A draft that is not committed yet counts as unsaved, and is
 * committed when the page is left.
 */
export function useFieldDraft(value: string, commit: CommitText, { commitOn = "pause" }: DraftOptions = {}) {
  const { drafts } = useSession();
  const [draft, setDraft] = useState<FieldDraft>({ of: value, text: value, isCommitted: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (draft.of !== value) setDraft({ of: value, text: draft.isCommitted ? draft.text : value, isCommitted: false });

  const save = useEffectEvent((isEditing: boolean): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (draft.text === value) return;
    const isRefused = commit(draft.text) === false;
    if (isEditing) setDraft({ ...draft, isCommitted: !isRefused });
    else if (!isRefused) setDraft({ of: value, text: value, isCommitted: false });
  });
  const isOpen = draft.text !== value && !draft.isCommitted;
  useEffect(() => (isOpen ? drafts.open(() => save(false)) : undefined), [isOpen, drafts]);
  useEffect(
    () => () => {
      // The form of another node takes this one's place before the pause is over.
      if (timer.current !== undefined) save(false);
    },
    [],
  );

  return {
    value: draft.text,
    onChange: (event: { target: { value: string } }) => {
      setDraft({ of: value, text: event.target.value, isCommitted: false });
      clearTimeout(timer.current);
      if (commitOn === "pause") timer.current = setTimeout(() => save(true), pauseMs);
    },
    onBlur: () => save(false),
    onKeyDown: (event: { key: string; preventDefault(): void }) => {
      if (event.key === "Enter") {
        event.preventDefault();
        save(false);
      }
      if (event.key === "Escape") {
        clearTimeout(timer.current);
        timer.current = undefined;
        setDraft({ of: value, text: value, isCommitted: false });
      }
    },
  };
}
