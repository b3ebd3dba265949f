import type { DragEvent } from "react";
import { KindIcon } from "@/app/_kinds/kind-icon";
import { listControlTypes, listInsertEntries } from "@/app/_kinds/registry";
import { useSession } from "../../state/session-context";
import { insertDragType, noteId } from "./insert-drop";

export function InsertStrip() {
  const { actions } = useSession();
  const controls = listControlTypes();
  return (
    <div
      role="toolbar"
      id="insert-tools"
      aria-label="Insert"
      className="absolute bottom-5 left-3 z-10 flex gap-0.5 rounded-lg border border-line-strong bg-surface-raised p-0.5 shadow-card @min-[720px]:bottom-3 @min-[720px]:left-1/2 @min-[720px]:-translate-x-1/2 [@container(max-height:480px)]:hidden"
    >
      {listInsertEntries().map(({ id, label, description, toFragment }) => (
        <InsertButton
          key={id}
          id={id}
          label={label}
          about={description}
          onClick={() => {
            const control = controls.find((type) => type === id);
            if (id === "agent") actions.addAgent();
            else if (control) actions.addControl(control);
            else actions.insert(toFragment(actions.usualModel()));
          }}
        />
      ))}
      <span aria-hidden className="my-1 w-px bg-line" />
      <InsertButton id={noteId} label="Note" about="A comment on the canvas" onClick={() => actions.addNote()} />
    </div>
  );
}

/** Where the label of an entry is longer than a toolbar has room for. */
const shortLabels: Readonly<Record<string, string>> = { lanes: "Lanes", group: "Group", swarm: "Swarm", note: "" };

interface InsertButtonProps {
  id: string;
  label: string;
  about: string;
  onClick(): void;
}

function InsertButton({ id, label, about, onClick }: InsertButtonProps) {
  const { view } = useSession();
  return (
    <button
      data-hint={`${label}: ${about.toLowerCase()}. Drag it, or click.`}
      type="button"
      draggable
      aria-label={`Insert ${label.toLowerCase()}`}
      onDragStart={({ dataTransfer }: DragEvent) => {
        dataTransfer.setData(insertDragType, id);
        dataTransfer.effectAllowed = "copy";
        view.setState({ draggedEntry: id });
      }}
      onDragEnd={() => view.setState({ draggedEntry: null, drop: null })}
      onClick={onClick}
      className="inline-flex h-7 min-w-7 cursor-grab items-center justify-center gap-1.5 rounded-md px-1 font-medium text-text-muted text-xs hover:bg-surface-hover hover:text-text @min-[1040px]:px-1.5"
    >
      <KindIcon kind={id} />
      <span className="hidden @min-[1040px]:inline">{shortLabels[id] ?? label}</span>
    </button>
  );
}
