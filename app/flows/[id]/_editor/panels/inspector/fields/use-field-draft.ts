import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useSession } from "../../../state/session-context";

const pauseMs = 400;

interface FieldDraft {
  of: string;
  text: string;
  /** Committed while still in focus: the resulting value does not replace the text. */
  isCommitted?: boolean;
  /** The text that was rejected last, and why. */
  refusal?: { text: string; message: string } | undefined;
}

/** Returns why the text was rejected, or `false` after a notification: the text stays in the field. */
export type CommitText = (text: string) => unknown;

/** `leave` is for texts such as names, where every intermediate state would change other places. */
export type CommitMoment = "pause" | "leave";

/** A draft that is not committed yet counts as unsaved, and is committed when the page is closed. */
export function useFieldDraft(value: string, commit: CommitText, commitOn: CommitMoment = "pause") {
  const { drafts } = useSession();
  const [draft, setDraft] = useState<FieldDraft>({ of: value, text: value });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reset = (): void => setDraft({ of: value, text: value });
  if (draft.of !== value) setDraft({ of: value, text: draft.isCommitted ? draft.text : value });

  const save = useEffectEvent((isEditing: boolean): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const result = draft.text === value ? null : commit(draft.text);
    const refusal = typeof result === "string" ? { text: draft.text, message: result } : undefined;
    const isRefused = refusal !== undefined || result === false;
    if (isRefused || (isEditing && draft.text !== value)) setDraft({ ...draft, isCommitted: !isRefused, refusal });
    else reset();
  });
  const isOpen = draft.text !== value && !draft.isCommitted && draft.text !== draft.refusal?.text;
  useEffect(() => (isOpen ? drafts.open(() => save(false)) : undefined), [isOpen, drafts]);
  useEffect(
    () => () => {
      // The form of another node may replace this one before the pause is over.
      if (timer.current !== undefined) save(false);
    },
    [],
  );

  const attributes = {
    value: draft.text,
    onChange: (event: { target: { value: string } }) => {
      setDraft({ of: value, text: event.target.value, refusal: draft.refusal });
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
        reset();
      }
    },
  };
  return { attributes, problem: draft.refusal?.message };
}
