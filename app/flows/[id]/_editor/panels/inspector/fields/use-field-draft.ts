import { type SyntheticEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { moveOffset } from "@/lib/core/flow/rebase/rebase-changes";
import { rebaseDraft } from "@/lib/core/flow/rebase/rebase-draft";
import { applyChanges } from "@/lib/core/flow/text-change";
import type { TextChange } from "@/lib/core/flow/text-range";
import { useSession } from "../../../state/session-context";

const pauseMs = 400;

interface FieldDraft {
  of: string;
  text: string;
  /** Committed while still in focus: the resulting value does not replace the text. */
  isCommitted?: boolean;
  /** Committed just now: the next value is the result, and no change of someone else. */
  isFresh?: boolean;
  /** What someone else changed in the text last. */
  received?: readonly TextChange[];
  /** The text that was rejected last, and why. */
  refusal?: { text: string; message: string } | undefined;
}

/** Returns why the text was rejected, or `false` after a notification: the text stays in the field. */
export type CommitText = (text: string) => unknown;

/** `leave` is for texts such as names, where every intermediate state would change other places. */
export type CommitMoment = "pause" | "leave";

export interface FieldDraftOptions {
  commitOn?: CommitMoment | undefined;
  /** A number or a name: the draft stays as it is when someone else changes the value. Else the letters of both stay. */
  isWhole?: boolean | undefined;
}

/** A draft that is not committed yet counts as unsaved, and is committed when the page is closed. */
export function useFieldDraft(value: string, commit: CommitText, options: FieldDraftOptions = {}) {
  const { commitOn = "pause", isWhole = commitOn === "leave" } = options;
  const { drafts, live, notify } = useSession();
  const [draft, setDraft] = useState<FieldDraft>({ of: value, text: value });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const caret = useKeptCaret(draft);
  const reset = (): void => setDraft({ of: value, text: value });
  if (draft.isFresh) setDraft({ ...draft, of: value, isFresh: false });
  else if (draft.of !== value) setDraft(follow(draft, value, isWhole));

  const saveText = (text: string, isEditing: boolean): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const result = text === value ? null : commit(text);
    const refusal = typeof result === "string" ? { text, message: result } : undefined;
    const isCommitted = refusal === undefined && result !== false;
    if (!isCommitted || (isEditing && text !== value))
      setDraft({ of: value, text, isCommitted, isFresh: isCommitted, refusal });
    else reset();
  };
  const save = useEffectEvent((isEditing: boolean): void => saveText(draft.text, isEditing));
  const isOpen = draft.text !== value && !draft.isCommitted && draft.text !== draft.refusal?.text;
  useEffect(() => (isOpen ? drafts.open(() => save(false)) : undefined), [isOpen, drafts]);
  const leave = useEffectEvent((): void => {
    // The form of another node may replace this one before the text is committed.
    if (timer.current === undefined && !isOpen) return;
    clearTimeout(timer.current);
    const result = draft.text === value ? null : commit(draft.text);
    if (typeof result === "string") notify.error(`"${draft.text}" was not kept. ${result}`);
  });
  useEffect(() => () => leave(), []);

  const attributes = {
    ...caret.attributes,
    value: draft.text,
    onChange: ({ target }: { target: TextInput }) => {
      const text = target.value;
      // The browser tells of the selection later than of the letter: someone else's may come between.
      caret.note(target);
      if (live.isTogether() && !isWhole) return saveText(text, true);
      setDraft({ of: value, text, refusal: draft.refusal });
      clearTimeout(timer.current);
      if (commitOn === "pause") timer.current = setTimeout(() => save(true), pauseMs);
    },
    onBlur: () => saveText(draft.text, false),
    onKeyDown: (event: { key: string; preventDefault(): void }) => {
      if (event.key === "Enter") {
        event.preventDefault();
        saveText(draft.text, false);
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

/** The draft after its value was changed elsewhere. */
function follow(draft: FieldDraft, value: string, isWhole: boolean): FieldDraft {
  const isOwn = draft.text !== draft.of;
  if (isWhole && isOwn && !draft.isCommitted) return { ...draft, of: value };
  const received = rebaseDraft({ base: draft.of, text: draft.text }, value);
  return { ...draft, of: value, text: isWhole ? value : applyChanges(draft.text, received), received };
}

type TextInput = HTMLInputElement | HTMLTextAreaElement;

/** Keeps the caret in its place among the letters when someone else changes the text. */
function useKeptCaret({ received }: FieldDraft) {
  const input = useRef<TextInput | null>(null);
  const caret = useRef({ start: 0, end: 0 });
  const note = ({ selectionStart, selectionEnd }: TextInput): void => {
    caret.current = { start: selectionStart ?? 0, end: selectionEnd ?? 0 };
  };
  useLayoutEffect(() => {
    if (!received || !input.current || document.activeElement !== input.current) return;
    const { start, end } = caret.current;
    caret.current = { start: moveOffset(start, received, "own"), end: moveOffset(end, received, "own") };
    input.current.setSelectionRange(caret.current.start, caret.current.end);
  }, [received]);
  const attributes = {
    ref: (element: TextInput | null): void => {
      input.current = element;
    },
    onSelect: ({ currentTarget }: SyntheticEvent<TextInput>): void => note(currentTarget),
  };
  return { attributes, note };
}
