import { Check, CircleDot, MessageSquareReply, RotateCcw, ThumbsUp, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../_ui/controls/button";
import { showError } from "../_ui/toast/show-error";
import { CommentForm } from "./comment-form";
import { CommentRow } from "./comment-row";
import { type CommentMember, type CommentThread, changeComment, type Review, writeComment } from "./requests";

interface ThreadCardProps {
  flowId: string;
  thread: CommentThread;
  members: readonly CommentMember[];
  /** Null: the viewer may not write. */
  onChanged: (() => void) | null;
  /** What the thread is about, where a list has several. */
  about?: ReactNode;
  /** The thread that the page was opened for. */
  isFocused: boolean;
}

export function ThreadCard({ flowId, thread, members, onChanged, about, isFocused }: ThreadCardProps) {
  const { first, replies, review, resolved } = thread;
  const changed = onChanged ?? (() => {});
  return (
    <article
      ref={(card) => {
        if (isFocused) card?.scrollIntoView({ block: "nearest" });
      }}
      aria-label={`Comment of ${first.author.name}`}
      className={`grid gap-2 rounded-md border bg-surface p-3 ${isFocused ? "border-accent" : "border-line"}`}
    >
      {about}
      {review && <ReviewStates review={review} />}
      <CommentRow comment={first} members={members} onChanged={changed} />
      {replies.length > 0 && (
        <ol className="grid gap-2 border-line border-l-2 pl-3">
          {replies.map((reply) => (
            <li key={reply.id}>
              <CommentRow comment={reply} members={members} onChanged={changed} />
            </li>
          ))}
        </ol>
      )}
      {resolved && <p className="text-text-muted text-xs">Resolved by {resolved.by}</p>}
      {onChanged && <ThreadActions flowId={flowId} thread={thread} members={members} onChanged={onChanged} />}
    </article>
  );
}

type ThreadActionsProps = Pick<ThreadCardProps, "flowId" | "thread" | "members"> & { onChanged(): void };

function ThreadActions({ flowId, thread, members, onChanged }: ThreadActionsProps) {
  const { first, resolved, review } = thread;
  const [isReplying, setReplying] = useState(false);
  const change = (json: Parameters<typeof changeComment>[1]) => (): void => {
    changeComment(first.id, json).then(onChanged, showError);
  };
  if (isReplying)
    return (
      <CommentForm
        draft={{ key: `reply.${first.id}` }}
        label="Write a reply"
        submit="Reply"
        members={members}
        onCancel={() => setReplying(false)}
        onSubmit={async (body) => {
          await writeComment(flowId, { body, parent: first.id });
          setReplying(false);
          onChanged();
        }}
      />
    );
  return (
    <div className="-mb-1 -ml-2 flex flex-wrap gap-1">
      <Button size="small" variant="ghost" onClick={() => setReplying(true)}>
        <MessageSquareReply size={14} aria-hidden /> Reply
      </Button>
      <Button size="small" variant="ghost" onClick={change({ resolved: !resolved })}>
        {resolved ? <RotateCcw size={14} aria-hidden /> : <Check size={14} aria-hidden />}
        {resolved ? "Open again" : "Resolve"}
      </Button>
      {review?.isMine && review.mine !== "approved" && (
        <Button size="small" variant="ghost" onClick={change({ decision: "approved" })}>
          <ThumbsUp size={14} aria-hidden /> Approve
        </Button>
      )}
      {review?.isMine && review.mine !== "changes-requested" && (
        <Button size="small" variant="ghost" onClick={change({ decision: "changes-requested" })}>
          <TriangleAlert size={14} aria-hidden /> Request changes
        </Button>
      )}
    </div>
  );
}

const reviewStyles = {
  "changes-requested": { word: "Changes requested", preposition: "by", icon: TriangleAlert, color: "text-warning" },
  approved: { word: "Approved", preposition: "by", icon: ThumbsUp, color: "text-success" },
  requested: { word: "Review requested", preposition: "of", icon: CircleDot, color: "text-accent-text" },
} as const;

function ReviewStates({ review: { decisions, reviewers } }: { review: Review }) {
  const decided = new Set(decisions.map(({ by }) => by.id));
  const waiting = reviewers.filter(({ id }) => !decided.has(id)).map(({ name }) => name);
  return (
    <>
      {(["changes-requested", "approved"] as const).map((state) => {
        const names = decisions.filter(({ decision }) => decision === state).map(({ by }) => by.name);
        return names.length > 0 && <ReviewState key={state} state={state} names={names} />;
      })}
      {(waiting.length > 0 || decisions.length === 0) && <ReviewState state="requested" names={waiting} />}
    </>
  );
}

function ReviewState({ state, names }: { state: keyof typeof reviewStyles; names: readonly string[] }) {
  const { word, preposition, icon: Icon, color } = reviewStyles[state];
  return (
    <p className={`flex items-center gap-1.5 font-medium text-xs ${color}`}>
      <Icon size={14} aria-hidden className="shrink-0" /> {word}
      {names.length > 0 && ` ${preposition} ${names.join(", ")}`}
    </p>
  );
}
