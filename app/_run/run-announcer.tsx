"use client";

import { useEffect, useRef, useState } from "react";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/events";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { statusLooks } from "../_ui/badges/status-badge";
import { countWarnings } from "../_ui/badges/warning-badge";

const apartMs = 1000;

/** Says what ended, at most once a second, to people who cannot see it. */
export function RunAnnouncer({ newest }: { newest: string }) {
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

/** What is said of something that ended. Times in milliseconds since the epoch. */
export interface Ended {
  status: RunStatus;
  startedAt?: number | undefined;
  endedAt?: number | undefined;
  /** How many a run has. */
  warnings?: number;
}

/** `planner succeeded in 2 s`, of the agent that ended last; of the run itself once it has ended. */
export function sayEnded(run: Ended, agent: (Ended & { name: string }) | undefined): string {
  if (isTerminal(run.status)) return `Run ${say(run)}`;
  return agent?.endedAt === undefined ? "" : `${agent.name} ${say(agent)}`;
}

const say = ({ status, startedAt, endedAt, warnings = 0 }: Ended): string => {
  const took =
    startedAt === undefined || endedAt === undefined
      ? ""
      : ` in ${Math.max(0, Math.round((endedAt - startedAt) / 1000))} s`;
  const warned = warnings > 0 ? `, with ${countWarnings(warnings)}` : "";
  return `${statusLooks[status].word.toLowerCase()}${took}${warned}`;
};

/** The same of a run as it was folded. */
export function sayNewest(state: RunState): string {
  let newest: RunState["nodes"][number] | undefined;
  for (const node of state.nodes)
    if (node.kind === "agent" && (node.endedAt ?? 0) > (newest?.endedAt ?? 0)) newest = node;
  return sayEnded(state, newest);
}
