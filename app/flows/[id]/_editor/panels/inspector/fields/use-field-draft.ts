import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useSession } from "../../../state/session-context";

const pauseMs = 400;

interface FieldDraft {
  of: string;
  text: string;
  /** Committed while still in focus: the resulting value does not replace the text. */
  isCommitted: boolean;
}

/** Returns `false` when the text was rejected and stays in the field. */
export type CommitText = (text: string) => unknown;

interface DraftOptions {
  /** `leave` is for texts such as names, where every intermediate state would change other places. */
  commitOn?: "pause" | "leave";
}

/** A draft that is not committed yet counts as unsaved, and is committed when the page is closed. */
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
      // The form of another node may replace this one before the pause is over.
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
