import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { loadEditingPart } from "../../state/editing/editing";
import { useIsEditable, useSession } from "../../state/session-context";
import { describeBar } from "./describe-bar";
import type { FlowBar, FlowBarContent } from "./flow-bar";
import type { CreateLineEditor } from "./line-editor";

interface TakeOver {
  create: CreateLineEditor;
  selection: { anchor: number; head: number };
  hasFocus: boolean;
}

/** Until the line editor is loaded, a plain input takes its place; the caret carries over. */
export function LineField({ bar, look }: { bar: FlowBar; look: FlowBarContent }) {
  const plain = useRef<HTMLInputElement>(null);
  const composing = useRef(false);
  const isEditable = useIsEditable();
  const [takeOver, setTakeOver] = useState<TakeOver | null>(null);
  useEffect(() => {
    let isOver = false;
    const load = afterPaint().then(() => loadEditingPart(() => import("./line-editor")));
    void load.then(async ({ createLineEditor }) => {
      const { current: field } = plain;
      if (composing.current)
        await new Promise((done) => field?.addEventListener("compositionend", done, { once: true }));
      if (isOver) return;
      const selection = { anchor: field?.selectionStart ?? 0, head: field?.selectionEnd ?? 0 };
      const hasFocus = document.activeElement === field;
      // Synchronously, because key presses in between would be lost.
      flushSync(() => setTakeOver({ create: createLineEditor, selection, hasFocus }));
    });
    return () => {
      isOver = true;
      bar.unlock();
    };
  }, [bar]);
  if (takeOver) return <EditedLine bar={bar} {...takeOver} />;
  return (
    <input
      ref={plain}
      {...describeBar(look)}
      value={look.line}
      readOnly={!isEditable}
      onChange={(event) => bar.type(event.target.value)}
      onFocus={bar.lock}
      onBlur={bar.leave}
      onKeyDown={(event) => press(event, bar)}
      onCompositionStart={() => {
        composing.current = true;
      }}
      onCompositionEnd={() => {
        composing.current = false;
      }}
      spellCheck={false}
      autoComplete="off"
      placeholder={look.hint}
      className="h-8 w-full bg-transparent px-1 font-mono text-xs [font-variant-ligatures:none] placeholder:text-text-faint focus-visible:outline-offset-0"
    />
  );
}

function press(event: KeyboardEvent<HTMLInputElement>, bar: FlowBar): void {
  if (event.key === "Escape") bar.discard();
  if (event.key !== "Enter") return;
  event.preventDefault();
  bar.apply();
}

function EditedLine({ bar, create, selection, hasFocus }: TakeOver & { bar: FlowBar }) {
  const session = useSession();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => (box.current ? create(box.current, { session, bar, selection, hasFocus }) : undefined),
    [bar, create, selection, hasFocus, session],
  );
  return <div ref={box} />;
}
