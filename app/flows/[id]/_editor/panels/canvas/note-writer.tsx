import { type KeyboardEvent, useEffect, useState } from "react";
import { findNote, type NoteKey, noteLimits } from "@/lib/core/flow/note";
import { moveOffset } from "@/lib/core/flow/rebase/rebase-changes";
import { rebaseDraft } from "@/lib/core/flow/rebase/rebase-draft";
import { applyChanges } from "@/lib/core/flow/text-change";
import type { TextChange } from "@/lib/core/flow/text-range";
import { useSession } from "../../state/session-context";

interface NoteWriterProps {
  noteKey: NoteKey;
  id: string;
  text: string;
}

/** Every key is saved; a pause ends the undo step. */
export function NoteWriter({ noteKey, id, text }: NoteWriterProps) {
  const { canvas, actions, view, editor } = useSession();
  const [draft, setDraft] = useState({ of: text, text });
  // Stays mounted wherever the view goes.
  useEffect(() => {
    canvas.keepMounted([noteKey]);
    return () => canvas.keepMounted([]);
  }, [canvas, noteKey]);
  const stop = (): void => view.setState(({ writing }) => (writing === noteKey ? { writing: null } : {}));
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    stop();
    document.getElementById("flow-canvas")?.focus({ preventScroll: true });
  };
  return (
    <textarea
      ref={focusAtEnd}
      aria-label="Text of the note"
      value={draft.text}
      maxLength={noteLimits.text}
      onChange={({ target }) => {
        const stored = findNote(editor.store.getState().layout.notes, noteKey)?.text ?? draft.of;
        const next = takeLetters(target, rebaseDraft({ base: draft.of, text: target.value }, stored));
        const isTaken = actions.edit({ type: "change-note", id, change: { text: next } });
        setDraft({ of: isTaken ? next : stored, text: next });
      }}
      onKeyDown={leave}
      onBlur={stop}
      className="nodrag nopan nowheel block h-full w-full resize-none bg-transparent px-3 py-2.5 outline-none"
    />
  );
}

/** What others wrote since the last key. The caret stays among its letters. */
function takeLetters(field: HTMLTextAreaElement, received: readonly TextChange[]): string {
  if (received.length === 0) return field.value;
  const caret = moveOffset(field.selectionEnd, received, "own");
  field.value = applyChanges(field.value, received);
  field.setSelectionRange(caret, caret);
  return field.value;
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus({ preventScroll: true });
  field?.setSelectionRange(field.value.length, field.value.length);
}
