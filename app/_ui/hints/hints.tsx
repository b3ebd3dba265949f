import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { MessageText } from "../text/message-text";
import { placeHint } from "./place-hint";
import { type Hint, watchHints } from "./watch-hints";

export default function Hints() {
  const [hint, setHint] = useState<Hint | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => watchHints(setHint, (target) => box.current?.contains(target) === true), []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !hint) return;
    element.showPopover();
    const view = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight };
    const position = placeHint(hint.anchor.getBoundingClientRect(), element.getBoundingClientRect(), view);
    element.style.left = `${position.left}px`;
    element.style.top = `${position.top}px`;
  }, [hint]);
  if (!hint) return null;
  return (
    <div
      ref={box}
      role="tooltip"
      popover="manual"
      className="fixed inset-auto m-0 max-w-72 rounded-md border-0 bg-text px-2 py-1 text-surface text-xs"
    >
      <MessageText text={hint.text} />
    </div>
  );
}
