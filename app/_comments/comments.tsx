"use client";
import { MessageSquare } from "lucide-react";
import { type ReactNode, useState } from "react";
import { formatCount } from "@/lib/core/flow/format-count";
import { Button } from "../_ui/controls/button";
import { ChoiceSwitch } from "../_ui/controls/choice-switch";
import { LoadProblem } from "../_ui/controls/load-problem";
import { useLoaded } from "../_ui/loading/use-loaded";
import { loadMarkdown } from "../_ui/text/lazy-markdown";
import { showError } from "../_ui/toast/show-error";
import { CommentForm } from "./comment-form";
import {
  type CommentTarget,
  type CommentThread,
  requestThreads,
  type ThreadPage,
  type ThreadQuery,
  writeComment,
} from "./requests";
import { ThreadCard } from "./thread-card";

interface CommentsProps {
  flowId: string;
  /** Missing: everything about the flow; new comments are about the flow itself. */
  target?: CommentTarget;
  /** What a thread is about, where the list has several. */
  toAbout?(thread: CommentThread): ReactNode;
  /** The first comment of the thread that the page was opened for. */
  focused?: string | null;
  /** A page was loaded, also again. */
  onLoaded?(page: ThreadPage): void;
}

/** How often comments of others are looked for, in milliseconds. */
const refreshMs = 20_000;

/** The threads about something, and the field for a new one. */
export default function Comments({ flowId, target, toAbout, focused = null, onLoaded }: CommentsProps) {
  const [state, setState] = useState<"open" | "resolved">("open");
  const [older, setOlder] = useState<{ key: string; threads: CommentThread[]; next: string | null } | null>(null);
  const key = `${flowId} ${JSON.stringify(target)} ${state}`;
  const { value, isCurrent, problem, retry } = useLoaded({ key, refreshMs }, async (signal) => {
    const [page] = await Promise.all([requestThreads({ flowId, target, state }, signal), loadMarkdown()]);
    onLoaded?.(page);
    return page;
  });
  if (!value)
    return problem === null ? (
      <p className="text-text-muted text-xs">Reading the comments…</p>
    ) : (
      <LoadProblem onRetry={retry}>The comments could not be loaded: {problem}</LoadProblem>
    );
  const pages = older?.key === key ? older : { threads: [], next: value.next };
  const showOlder = (before: string) => (): void => {
    requestThreads({ flowId, target, state, before }).then(
      (page) => setOlder({ key, threads: [...pages.threads, ...page.threads], next: page.next }),
      showError,
    );
  };
  const threads = [...value.threads, ...pages.threads.filter(isNotIn(value.threads))];
  return (
    <div className="grid content-start gap-3">
      {value.mayWrite && (
        <CommentForm
          draft={{ key: `new.${flowId}.${JSON.stringify(target) ?? ""}` }}
          label="Write a comment"
          submit="Comment"
          members={value.members}
          onSubmit={async (body) => {
            await writeComment(flowId, { body, target });
            setState("open");
            retry();
          }}
        />
      )}
      <StateSwitch page={value} state={state} onChange={setState} />
      {problem !== null && <LoadProblem onRetry={retry}>The comments could not be loaded: {problem}</LoadProblem>}
      {threads.length === 0 && isCurrent && <NoComments state={state} />}
      {threads.map((thread) => (
        <ThreadCard
          key={thread.first.id}
          flowId={flowId}
          thread={thread}
          members={value.members}
          onChanged={value.mayWrite ? retry : null}
          about={toAbout?.(thread)}
          isFocused={thread.first.id === focused}
        />
      ))}
      {pages.next !== null && (
        <Button size="small" className="justify-self-center" onClick={showOlder(pages.next)}>
          Older comments
        </Button>
      )}
    </div>
  );
}

interface StateSwitchProps {
  page: ThreadPage;
  state: ThreadQuery["state"];
  onChange(state: ThreadQuery["state"]): void;
}

const StateSwitch = ({ page, state, onChange }: StateSwitchProps) => (
  <div className="flex">
    <ChoiceSwitch
      label="Show comments"
      value={state}
      choices={[
        { value: "open", label: `Open ${formatCount(page.open)}` },
        { value: "resolved", label: `Resolved ${formatCount(page.resolved)}` },
      ]}
      onChange={onChange}
    />
  </div>
);

const isNotIn =
  (threads: readonly CommentThread[]) =>
  ({ first }: CommentThread): boolean =>
    !threads.some((thread) => thread.first.id === first.id);

const NoComments = ({ state }: { state: "open" | "resolved" }) => (
  <p className="flex items-center gap-2 text-text-muted text-xs">
    <MessageSquare size={14} aria-hidden />
    {state === "open" ? "No open comments." : "No resolved comments."}
  </p>
);
