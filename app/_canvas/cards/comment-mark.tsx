import { MessageSquare } from "lucide-react";
import { useStore } from "zustand";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { type CanvasComments, useCanvasSession } from "../state/canvas-session";

interface CommentMarkProps {
  nodeKey: NodeKey;
  name: string;
}

export function CommentMark(props: CommentMarkProps) {
  const { comments } = useCanvasSession();
  return comments && <OpenComments {...props} comments={comments} />;
}

function OpenComments({ nodeKey, name, comments }: CommentMarkProps & { comments: CanvasComments }) {
  const count = useStore(comments.store, ({ nodes }) => nodes.get(name) ?? 0);
  if (count === 0) return null;
  const label = `${countNouns(count, "open comment")} on ${name}`;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      className="comment-mark nodrag nopan pointer-events-auto"
      onClick={(event) => {
        event.stopPropagation();
        comments.show(nodeKey);
      }}
    >
      <MessageSquare size={11} aria-hidden />
      {formatCount(count)}
    </button>
  );
}
