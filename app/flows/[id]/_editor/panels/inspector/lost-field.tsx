import { type ChangeEvent, useId, useRef } from "react";
import { writeLost } from "../../state/live/attention";
import type { LostWriting } from "../../state/live/live";
import { useSession } from "../../state/session-context";
import { inputClass } from "./fields/fields";

/** The field of a form that someone deleted while the user wrote in it: every letter goes on into the text. */
export function LostField({ writing }: { writing: LostWriting }) {
  const session = useSession();
  const id = useId();
  const isFirst = useRef(true);
  // The field that had the focus is gone: no one else has it.
  const takeFocus = (field: HTMLTextAreaElement | null): void => {
    if (!field || !isFirst.current || document.activeElement !== document.body) return;
    isFirst.current = false;
    field.focus();
    field.setSelectionRange(writing.caret ?? 0, writing.caret ?? 0);
  };
  const write = ({ target: { value, selectionEnd } }: ChangeEvent<HTMLTextAreaElement>): void =>
    writeLost(session, writing, { text: value, caret: selectionEnd });
  return (
    <div className="grid shrink-0 gap-1 border-line border-b p-3">
      <label htmlFor={id} className="font-medium text-xs">
        Your text of {writing.owner}
      </label>
      <textarea
        ref={takeFocus}
        id={id}
        aria-describedby={`${id}-hint`}
        value={writing.text}
        onChange={write}
        rows={4}
        className={`${inputClass} field-sizing-content max-h-60 min-h-24 resize-y`}
      />
      <p id={`${id}-hint`} className="text-text-muted text-xs">
        {writing.by ?? "Someone else"} deleted {writing.owner}. Your text is kept in this browser until you put it back
        or discard it.
      </p>
    </div>
  );
}
