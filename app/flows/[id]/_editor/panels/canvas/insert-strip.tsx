import type { DragEvent } from "react";
import { KindIcon } from "@/app/_kinds/kind-icon";
import { listInsertEntries } from "@/app/_kinds/registry";
import { useSession } from "../../state/session-context";
import { insertDragType, noteId } from "./insert-drop";

export function InsertStrip() {
  const { actions } = useSession();
  return (
    <div
      role="toolbar"
      aria-label="Insert"
      className="absolute bottom-3 left-1/2 z-10 flex -translate-x-1/2 gap-0.5 rounded-lg border border-line bg-surface-raised p-0.5"
    >
      {listInsertEntries().map(({ id, label, description, toFragment }) => (
        <InsertButton
          key={id}
          id={id}
          label={label}
          about={description}
          onClick={() => actions.insert(toFragment(actions.usualModel()))}
        />
      ))}
      <span aria-hidden className="my-1 w-px bg-line" />
      <InsertButton id={noteId} label="Note" about="A comment on the canvas" onClick={() => actions.addNote()} />
    </div>
  );
}

interface InsertButtonProps {
  id: string;
  label: string;
  about: string;
  onClick(): void;
}

function InsertButton({ id, label, about, onClick }: InsertButtonProps) {
  return (
    <button
      data-hint={`${label}: ${about.toLowerCase()}. Drag it, or click.`}
      type="button"
      draggable
      aria-label={`Insert ${label.toLowerCase()}`}
      onDragStart={({ dataTransfer }: DragEvent) => {
        dataTransfer.setData(insertDragType, id);
        dataTransfer.effectAllowed = "copy";
      }}
      onClick={onClick}
      className="inline-flex size-7 cursor-grab items-center justify-center rounded-md text-text-muted hover:bg-surface-hover hover:text-text"
    >
      <KindIcon kind={id} />
    </button>
  );
}
