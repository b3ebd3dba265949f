import type { EdgeProps } from "@xyflow/react";
import { Plus } from "lucide-react";
import { memo } from "react";
import { LinkLine, type MiddleProps } from "@/app/_canvas/cards/link-edge";
import { insertButtonId } from "@/app/_canvas/cards/node-dom-id";
import type { LinkEdge } from "@/app/_canvas/mapping/canvas-nodes";
import { useEditorState, useSession } from "../../state/session-context";

export const InsertLink = memo(function InsertLink(props: EdgeProps<LinkEdge>) {
  const { access } = useSession();
  return <LinkLine {...props} {...(access.mayEdit && { Middle: InsertButton })} />;
});

function InsertButton({ id, data, style }: MiddleProps) {
  const { editor, view } = useSession();
  const isSelected = useEditorState(({ edge }) => edge === id);
  return (
    <button
      type="button"
      id={insertButtonId(id)}
      tabIndex={-1}
      aria-haspopup="menu"
      aria-label={`Insert between ${data?.fromName} and ${data?.toName}`}
      title="Insert here"
      data-edge={id}
      data-selected={isSelected || undefined}
      className="link-insert nodrag nopan"
      style={style}
      onContextMenu={(event) => {
        event.preventDefault();
        editor.selectEdge(id);
        view.setState({ surface: { type: "context", at: { x: event.clientX, y: event.clientY } } });
      }}
      onClick={() => view.setState({ surface: { type: "insert", target: { type: "edge", key: id } } })}
    >
      <Plus size={14} strokeWidth={2.5} aria-hidden />
    </button>
  );
}
