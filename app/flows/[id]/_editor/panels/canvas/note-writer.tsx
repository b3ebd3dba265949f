import { type KeyboardEvent, useEffect, useState } from "react";
import { type NoteKey, noteLimits } from "@/lib/core/flow/note";
import { useSession } from "../../state/session-context";

interface NoteWriterProps {
  noteKey: NoteKey;
  id: string;
  text: string;
}

/** Every key is saved; a pause ends the undo step. */
export function NoteWriter({ noteKey, id, text }: NoteWriterProps) {
  const { canvas, actions, view } = useSession();
  const [draft, setDraft] = useState(text);
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
      value={draft}
      maxLength={noteLimits.text}
      onChange={({ target }) => {
        setDraft(target.value);
        actions.edit({ type: "change-note", id, change: { text: target.value } });
      }}
      onKeyDown={leave}
      onBlur={stop}
      className="nodrag nopan nowheel block h-full w-full resize-none bg-transparent px-3 py-2.5 outline-none"
    />
  );
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus({ preventScroll: true });
  field?.setSelectionRange(field.value.length, field.value.length);
}
