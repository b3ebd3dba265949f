import type { NodeProps } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import { nameNote } from "@/lib/core/flow/note";
import type { NoteNode } from "../mapping/canvas-nodes";
import { nodeDomId } from "./node-dom-id";

export const NotePaper = memo(function NotePaper({ id, data, selected }: NodeProps<NoteNode>) {
  return (
    <NoteSheet id={id} data={data} selected={selected}>
      <NoteWords>{data.text}</NoteWords>
    </NoteSheet>
  );
});

type SheetProps = Pick<NodeProps<NoteNode>, "id" | "data" | "selected"> & { children: ReactNode };

export function NoteSheet({ id: key, data, selected, children }: SheetProps) {
  return (
    <article
      id={nodeDomId(key)}
      aria-label={nameNote(data)}
      aria-current={selected ? "true" : undefined}
      data-kind="note"
      data-color={data.color}
      className="note relative h-full w-full overflow-hidden rounded border text-xs leading-[18px]"
    >
      {children}
    </article>
  );
}

export const NoteWords = ({ children }: { children: ReactNode }) => (
  <p className="h-full overflow-hidden whitespace-pre-wrap break-words px-3 py-2.5">{children}</p>
);
