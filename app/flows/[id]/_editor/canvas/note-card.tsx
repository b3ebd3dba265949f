import { type NodeProps, NodeResizeControl, ResizeControlVariant } from "@xyflow/react";
import { memo } from "react";
import { fitNote, nameNote, noteLimits } from "@/lib/core/flow/note";
import { useSession, useView } from "../session-context";
import type { NoteNode } from "./canvas-mapping";
import { nodeDomId } from "./node-dom-id";
import { NoteWriter } from "./note-writer";

/** A note on the canvas: plain words, as they are written. */
export const NoteCard = memo(function NoteCard({ id: key, data, selected }: NodeProps<NoteNode>) {
  const { commands } = useSession();
  const isWriting = useView(({ writing }) => writing === key);
  const { id, text, color } = data;
  return (
    <article
      id={nodeDomId(key)}
      aria-label={nameNote(data)}
      aria-current={selected ? "true" : undefined}
      data-kind="note"
      data-color={color}
      className="note relative h-full w-full overflow-hidden rounded border text-xs leading-[18px]"
    >
      {isWriting ? (
        <NoteWriter noteKey={key} id={id} text={text} />
      ) : (
        <p className="h-full overflow-hidden whitespace-pre-wrap break-words px-3 py-2.5">
          {text === "" ? <span className="text-text-muted">Double-click to write</span> : text}
        </p>
      )}
      {selected && (
        <NodeResizeControl
          position="bottom-right"
          variant={ResizeControlVariant.Handle}
          minWidth={noteLimits.width.least}
          minHeight={noteLimits.height.least}
          maxWidth={noteLimits.width.most}
          maxHeight={noteLimits.height.most}
          className="note-corner"
          onResizeEnd={(_, { width, height }) =>
            commands.edit({ type: "change-note", id, change: fitNote({ width, height }) })
          }
        />
      )}
    </article>
  );
});
