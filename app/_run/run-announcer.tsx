"use client";

import { useEffect, useRef, useState } from "react";
import { isTerminal } from "@/lib/core/run/events";
import type { RunState } from "@/lib/core/trace/run-state";
import { statusLooks } from "../_ui/status-badge";

const apartMs = 1000;

/** Says what ended, at most once a second, to people who cannot see it. */
export function RunAnnouncer({ state }: { state: RunState }) {
  const newest = sayNewest(state);
  const [said, setSaid] = useState("");
  const saidAt = useRef(0);
  useEffect(() => {
    const say = (): void => {
      saidAt.current = Date.now();
      setSaid(newest);
    };
    const timer = setTimeout(say, Math.max(0, saidAt.current + apartMs - Date.now()));
    return () => clearTimeout(timer);
  }, [newest]);
  return (
    <p role="status" aria-label="Run progress" className="sr-only">
      {said}
    </p>
  );
}

/** `planner succeeded in 2 s`; the run itself once it has ended. */
export function sayNewest({ status, nodes, startedAt, endedAt }: RunState): string {
  if (isTerminal(status)) return `Run ${statusLooks[status].word.toLowerCase()}${sayDuration(startedAt, endedAt)}`;
  let newest = nodes[0];
  for (const node of nodes)
    if (node.kind === "agent" && (node.endedAt ?? 0) > (newest?.kind === "agent" ? (newest.endedAt ?? 0) : 0))
      newest = node;
  if (newest?.kind !== "agent" || newest.endedAt === undefined) return "";
  return `${newest.name} ${statusLooks[newest.status].word.toLowerCase()}${sayDuration(newest.startedAt, newest.endedAt)}`;
}

const sayDuration = (from: number | undefined, to: number | undefined): string =>
  from === undefined || to === undefined ? "" : ` in ${Math.max(0, Math.round((to - from) / 1000))} s`;
