import { KindIcon } from "@/app/_ui/kind-icon";
import { Tooltip } from "@/app/_ui/tooltip";
import { useSession } from "../session-context";
import { partDragType } from "./drop-part";
import { insertKinds } from "./insert-kinds";

/** New parts at the foot of the canvas: drag one onto a link, a card or the canvas; a click puts it behind what is selected. */
export function PartsStrip() {
  const { commands } = useSession();
  return (
    <div
      role="toolbar"
      aria-label="Parts"
      className="absolute bottom-3 left-1/2 z-10 flex -translate-x-1/2 gap-0.5 rounded-lg border border-line bg-surface-raised p-0.5"
    >
      {insertKinds.map(({ id, label, about, icon, toFragment }) => (
        <Tooltip key={id} content={`${label}: ${about.toLowerCase()}. Drag it, or click.`}>
          <button
            type="button"
            draggable
            aria-label={`Insert ${label.toLowerCase()}`}
            onDragStart={({ dataTransfer }) => {
              dataTransfer.setData(partDragType, id);
              dataTransfer.effectAllowed = "copy";
            }}
            onClick={() => commands.insert(toFragment(commands.usualModel()))}
            className="inline-flex size-7 cursor-grab items-center justify-center rounded-md text-text-muted hover:bg-surface-hover hover:text-text"
          >
            <KindIcon kind={icon} />
          </button>
        </Tooltip>
      ))}
    </div>
  );
}
