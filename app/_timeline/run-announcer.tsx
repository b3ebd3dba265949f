"use client";
import { useEffect, useRef, useState } from "react";
import type { RunState } from "@/lib/core/trace/run-state";
import { formatDuration } from "../_ui/format";
import { statusLooks } from "../_ui/status-badge";

const apartMs = 1000;

/** Tells screen readers what has ended, at most once a second. */
export function RunAnnouncer({ state }: { state: RunState }) {
  const [text, setText] = useState("");
  const last = useRef({ at: 0, id: 0 });
  useEffect(() => {
    const ended = state.nodes.findLast((node) => node.kind === "agent" && node.endedAt !== undefined);
    const wait = Math.max(0, last.current.at + apartMs - Date.now());
    const timer = setTimeout(() => {
      if (state.endedAt !== undefined) setText(`The run ${statusLooks[state.status].word.toLowerCase()}.`);
      else if (ended && ended.id !== last.current.id)
        setText(
          `${ended.name} ${statusLooks[ended.status].word.toLowerCase()} in ${formatDuration((ended.endedAt ?? 0) - ended.startedAt)}.`,
        );
      last.current = { at: Date.now(), id: ended?.id ?? 0 };
    }, wait);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
