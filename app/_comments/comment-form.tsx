import { type KeyboardEvent, useId, useRef, useState } from "react";
import { Button } from "../_ui/controls/button";
import { useKeptDraft } from "../_ui/draft/use-kept-draft";
import { messageOf } from "../_ui/loading/fetch-json";
import { findMembers, findQuery, toBody } from "./mention-text";
import type { CommentMember } from "./requests";

interface CommentFormProps {
  /** `key`: what the comment belongs to, under which the browser keeps what is written. `start`: the text that is edited. */
  draft: { key: string; start?: string };
  label: string;
  submit: string;
  members: readonly CommentMember[];
  onSubmit(body: string): Promise<unknown>;
  /** Closes the form. The Escape key leaves what is written for the next time, the button does not. */
  onCancel?: () => void;
}

const longestComment = 10_000;

/** A comment while it is written, with the names of members after an `@`. */
export const CommentForm = (props: CommentFormProps) => <DraftForm key={props.draft.key} {...props} />;

function DraftForm({ draft: { key, start = "" }, label, submit, members, onSubmit, onCancel }: CommentFormProps) {
  const kept = useKeptDraft(`comment.${key}`, { body: start });
  const draft = kept.texts.body;
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (): Promise<void> => {
    if (draft.trim() === "" || isPending) return;
    setPending(true);
    setProblem(null);
    try {
      await onSubmit(toBody(draft, members));
      kept.change({ body: start });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setPending(false);
    }
  };
  const cancel = (): void => {
    kept.drop();
    onCancel?.();
  };
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <MentionField
        label={label}
        members={members}
        draft={draft}
        onChange={(body) => kept.change({ body })}
        onSend={() => void send()}
        onCancel={onCancel}
      />
      {problem !== null && (
        <p role="alert" className="text-danger text-xs">
          {problem}
        </p>
      )}
      {(draft.trim() !== "" || onCancel) && (
        <div className="flex justify-end gap-2">
          {onCancel && (
            <Button size="small" variant="ghost" onClick={cancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" size="small" variant="primary" pending={isPending} disabled={draft.trim() === ""}>
            {submit}
          </Button>
        </div>
      )}
    </form>
  );
}

interface MentionFieldProps {
  label: string;
  members: readonly CommentMember[];
  draft: string;
  onChange(draft: string): void;
  onSend(): void;
  onCancel: (() => void) | undefined;
}

function MentionField({ label, members, draft, onChange, onSend, onCancel }: MentionFieldProps) {
  const id = useId();
  const { field, setCaret, offered, active, choose, press } = useMentions({ members, draft, onChange });
  const pressKey = (event: KeyboardEvent): void => {
    if (press(event)) return;
    const isSent = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!isSent && (event.key !== "Escape" || !onCancel)) return;
    keep(event);
    if (isSent) onSend();
    else onCancel?.();
  };
  return (
    <div className="relative">
      <textarea
        ref={field}
        aria-label={label}
        placeholder={`${label}${label.endsWith("?") ? "" : "."} Type @ to mention someone.`}
        rows={draft === "" && !onCancel ? 2 : 4}
        maxLength={longestComment}
        value={draft}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? id : undefined}
        aria-activedescendant={offered.length > 0 ? `${id}-${active}` : undefined}
        onChange={({ target }) => {
          onChange(target.value);
          setCaret(target.selectionStart);
        }}
        onKeyDown={pressKey}
        onBlur={() => setCaret(null)}
        className="block w-full resize-y rounded-md border border-line-input bg-surface p-2"
      />
      {offered.length > 0 && <MemberList id={id} members={offered} active={active} onChoose={choose} />}
    </div>
  );
}

const keep = (event: KeyboardEvent): void => {
  event.preventDefault();
  event.stopPropagation();
};

/** The members that a name after an `@` before the caret may mean; `press` handles the keys of their list. */
function useMentions({ members, draft, onChange }: Pick<MentionFieldProps, "members" | "draft" | "onChange">) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const typed = caret === null ? null : findQuery(draft, caret);
  const offered = typed ? findMembers(members, typed.query) : [];
  const move = (position: number | null): void => {
    setCaret(position);
    setActive(0);
  };
  const choose = (member: CommentMember): void => {
    if (!typed || caret === null) return;
    const before = `${draft.slice(0, typed.start)}@${member.name} `;
    onChange(before + draft.slice(caret));
    move(null);
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length));
  };
  const press = (event: KeyboardEvent): boolean => {
    const member = offered[active];
    if (!member || event.ctrlKey || event.metaKey) return false;
    if (event.key === "ArrowDown") setActive((active + 1) % offered.length);
    else if (event.key === "ArrowUp") setActive((active - 1 + offered.length) % offered.length);
    else if (event.key === "Escape") move(null);
    else if (event.key === "Enter" || event.key === "Tab") choose(member);
    else return false;
    keep(event);
    return true;
  };
  return { field, setCaret: move, offered, active, choose, press };
}

interface MemberListProps {
  id: string;
  members: readonly CommentMember[];
  active: number;
  onChoose(member: CommentMember): void;
}

const MemberList = ({ id, members, active, onChoose }: MemberListProps) => (
  <div
    id={id}
    role="listbox"
    aria-label="Members"
    className="absolute inset-x-0 z-20 mt-1 max-h-48 overflow-y-auto rounded-md border border-line bg-surface-raised p-1 shadow-popover"
  >
    {members.map((member, index) => (
      <div
        key={member.id}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        // Before the field loses the focus, which closes the list.
        onPointerDown={(event) => {
          event.preventDefault();
          onChoose(member);
        }}
        className="flex h-7 cursor-default items-center truncate rounded px-2 aria-selected:bg-surface-selected"
      >
        {member.name}
      </div>
    ))}
  </div>
);
