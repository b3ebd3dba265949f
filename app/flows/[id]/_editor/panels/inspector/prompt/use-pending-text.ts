import { useEffect, useRef, useState } from "react";
import { useSession } from "../../../state/session-context";

const pauseMs = 400;

export type PendingText = ReturnType<typeof usePendingText>;

/** Typed text that is committed after a pause, and counts as an open draft until then. */
export function usePendingText(value: string, onCommit: (value: string) => void) {
  const { drafts } = useSession();
  const latest = useRef({ value, onCommit });
  useEffect(() => {
    latest.current = { value, onCommit };
  });
  const [pendingText] = useState(() => {
    let pending: { text: string; timer: ReturnType<typeof setTimeout>; close(): void } | null = null;
    const flush = (): void => {
      const committed = pending;
      pending = null;
      clearTimeout(committed?.timer);
      committed?.close();
      if (committed && committed.text !== latest.current.value) latest.current.onCommit(committed.text);
    };
    return {
      flush,
      isPending: (): boolean => pending !== null,
      type(text: string): void {
        clearTimeout(pending?.timer);
        pending = { text, timer: setTimeout(flush, pauseMs), close: pending?.close ?? drafts.open(flush) };
      },
    };
  });
  return pendingText;
}
