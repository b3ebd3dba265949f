import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useSession } from "../../state/session-context";

export function RenameInput({ name, onDone }: { name: string; onDone(): void }) {
  const { drafts, editor, notify } = useSession();
  const [text, setText] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => input.current?.select(), []);
  const close = (): void => {
    isOver.current = true;
    onDone();
  };
  const save = (): boolean => {
    const to = text.trim();
    const problem = to === name || to === "" ? null : editor.dispatch([{ type: "rename", from: name, to }]);
    if (problem) notify.error(problem.message);
    return !problem;
  };
  const saveDraft = useEffectEvent(save);
  const isChanged = text !== name;
  useEffect(() => (isChanged ? drafts.open(() => void saveDraft()) : undefined), [isChanged, drafts]);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape" || (event.key === "Enter" && save())) close();
  };
  return (
    <input
      ref={input}
      aria-label={`New name of ${name}`}
      value={text}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => {
        if (isOver.current) return;
        save();
        close();
      }}
      className="h-6 min-w-0 flex-1 rounded border border-line-input bg-surface px-1 font-mono text-xs"
    />
  );
}
