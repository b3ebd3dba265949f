import { type NodeProps, NodeResizeControl, ResizeControlVariant } from "@xyflow/react";
import { memo } from "react";
import { NoteSheet, NoteWords } from "@/app/_canvas/cards/note-paper";
import type { NoteNode } from "@/app/_canvas/mapping/canvas-nodes";
import { fitNote, noteLimits } from "@/lib/core/flow/note";
import { useSession, useView } from "../../state/session-context";
import { NoteWriter } from "./note-writer";

export const NoteCard = memo(function NoteCard({ id: key, data, selected }: NodeProps<NoteNode>) {
  const { actions, access } = useSession();
  const isWriting = useView(({ writing }) => writing === key) && access.mayEdit;
  const { id, text } = data;
  return (
    <NoteSheet id={key} data={data} selected={selected}>
      {isWriting ? (
        <NoteWriter noteKey={key} id={id} text={text} />
      ) : (
        <NoteWords>{text === "" ? <span className="text-text-muted">Double-click to write</span> : text}</NoteWords>
      )}
      {selected && access.mayEdit && (
        <NodeResizeControl
          position="bottom-right"
          variant={ResizeControlVariant.Handle}
          minWidth={noteLimits.width.least}
          minHeight={noteLimits.height.least}
          maxWidth={noteLimits.width.most}
          maxHeight={noteLimits.height.most}
          className="note-corner"
          onResizeEnd={(_, { width, height }) =>
            actions.edit({ type: "change-note", id, change: fitNote({ width, height }) })
          }
        />
      )}
    </NoteSheet>
  );
});
