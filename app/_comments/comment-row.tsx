import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Menu } from "../_ui/controls/menu";
import { RelativeTime } from "../_ui/format/relative-time";
import { LazyMarkdown } from "../_ui/text/lazy-markdown";
import { showError } from "../_ui/toast/show-error";
import { CommentForm } from "./comment-form";
import { toDraft, toMarkdown } from "./mention-text";
import { type Comment, type CommentMember, changeComment, deleteComment } from "./requests";

interface CommentRowProps {
  comment: Comment;
  members: readonly CommentMember[];
  onChanged(): void;
}

const icon = { size: 14, "aria-hidden": true };

export function CommentRow({ comment, members, onChanged }: CommentRowProps) {
  const { id, body, author, createdAt, editedAt, isDeleted, isMine, mayDelete } = comment;
  const [isEditing, setEditing] = useState(false);
  const remove = (): void => {
    deleteComment(id).then(onChanged, showError);
  };
  if (isDeleted) return <p className="text-text-muted italic">This comment was deleted.</p>;
  const items = [
    ...(isMine ? [{ label: "Edit", icon: <Pencil {...icon} />, onSelect: () => setEditing(true) }] : []),
    ...(mayDelete ? [{ label: "Delete", icon: <Trash2 {...icon} />, danger: true, onSelect: remove }] : []),
  ];
  return (
    <div className="grid gap-1">
      <div className="flex min-h-7 items-center gap-2">
        <b className="truncate font-semibold">{author.name}</b>
        <span className="shrink-0 text-text-muted text-xs">
          <RelativeTime at={createdAt} isShort />
          {editedAt !== null && ", edited"}
        </span>
        {items.length > 0 && (
          <span className="ml-auto">
            <Menu label={`More for the comment of ${author.name}`} items={items} />
          </span>
        )}
      </div>
      {isEditing ? (
        <CommentForm
          draft={{ key: `edit.${id}`, start: toDraft(body) }}
          label="Edit the comment"
          submit="Save"
          members={members}
          onCancel={() => setEditing(false)}
          onSubmit={async (text) => {
            await changeComment(id, { body: text });
            setEditing(false);
            onChanged();
          }}
        />
      ) : (
        <LazyMarkdown key={body} text={toMarkdown(body)} />
      )}
    </div>
  );
}
