"use client";

import { useEffect, useRef, useState } from "react";
import { countNouns } from "@/app/_ui/format/count-nouns";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/events";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { statusStyles } from "../_ui/badges/status-badge";

const intervalMs = 1000;

export function RunAnnouncer({ newest }: { newest: string }) {
  const [announced, setAnnounced] = useState("");
  const announcedAt = useRef(0);
  useEffect(() => {
    const announce = (): void => {
      announcedAt.current = Date.now();
      setAnnounced(newest);
    };
    const timer = setTimeout(announce, Math.max(0, announcedAt.current + intervalMs - Date.now()));
    return () => clearTimeout(timer);
  }, [newest]);
  return (
    <p role="status" aria-label="Run progress" className="sr-only">
      {announced}
    </p>
  );
}

/** Times in milliseconds since the epoch. */
export interface EndedStep {
  status: RunStatus;
  startedAt?: number | undefined;
  endedAt?: number | undefined;
  warnings?: number;
}

/** `planner succeeded in 2 s`, of the agent that ended last; of the run itself once it has ended. */
export function describeEnd(run: EndedStep, agent: (EndedStep & { name: string }) | undefined): string {
  if (isTerminal(run.status)) return `Run ${describeOutcome(run)}`;
  return agent?.endedAt === undefined ? "" : `${agent.name} ${describeOutcome(agent)}`;
}

const describeOutcome = ({ status, startedAt, endedAt, warnings = 0 }: EndedStep): string => {
  const took =
    startedAt === undefined || endedAt === undefined
      ? ""
      : ` in ${Math.max(0, Math.round((endedAt - startedAt) / 1000))} s`;
  const warned = warnings > 0 ? `, with ${countNouns(warnings, "warning")}` : "";
  return `${statusStyles[status].word.toLowerCase()}${took}${warned}`;
};

export function describeNewestEnd(state: RunState): string {
  let newest: RunState["nodes"][number] | undefined;
  for (const node of state.nodes)
    if (isAgentKind(node.kind) && (node.endedAt ?? 0) > (newest?.endedAt ?? 0)) newest = node;
  return describeEnd(state, newest);
}
