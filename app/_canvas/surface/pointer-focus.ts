import { type RefObject, useEffect } from "react";

const mark = "data-pointer-focus";
const modifiers: ReadonlySet<string> = new Set(["Shift", "Control", "Alt", "Meta"]);

/** For a press of the pointer. Browsers show the ring of a focus that a script sets; it belongs to the keyboard. */
export function focusByPointer(canvas: HTMLElement | null): void {
  canvas?.focus({ preventScroll: true });
  canvas?.setAttribute(mark, "");
}

/** The ring is back with the next key, and when the focus comes back. */
export function useKeyboardFocus(box: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const canvas = box.current;
    if (!canvas) return;
    const stopped = new AbortController();
    const options = { capture: true, signal: stopped.signal };
    canvas.addEventListener("keydown", ({ key }) => !modifiers.has(key) && canvas.removeAttribute(mark), options);
    // A window that loses the focus keeps its active element.
    const onBlur = (): void => {
      if (document.activeElement !== canvas) canvas.removeAttribute(mark);
    };
    canvas.addEventListener("blur", onBlur, { signal: stopped.signal });
    return () => stopped.abort();
  }, [box]);
}
