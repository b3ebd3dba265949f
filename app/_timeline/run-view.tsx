"use client";
import { useSearchParams } from "next/navigation";
import { useRef } from "react";
import { isTerminal } from "@/lib/core/run/events";
import { findNode, showWaiting } from "@/lib/core/trace/fold";
import type { RunDetail } from "@/lib/server/runs/queries";
import { PersonQuestions } from "../_run/person-question";
import { RunAnnouncer } from "../_run/run-announcer";
import { useRunState } from "../_run/use-run-state";
import { agentsBelow } from "./agents-below";
import { NodeDetail } from "./node-detail";
import { RunHeader } from "./run-header";
import { RunTrouble } from "./run-trouble";
import { useNow } from "./use-environment";
import { Waterfall } from "./waterfall";

/** A run as it happens or happened: the waterfall of its steps, and everything about the selected one. */
export function RunView({ run }: { run: RunDetail }) {
  const { state: followed, connection } = useRunState(run.id, run.state);
  const state = showWaiting(followed);
  const [selected, select] = useSelectedNode();
  const running = !isTerminal(state.status);
  const now = useNow(running);
  const detail = useRef<HTMLElement>(null);
  const root = state.nodes[0];
  const node = (selected !== null && findNode(state, selected)) || root;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <RunHeader run={run} state={state} connection={connection} now={now} />
      <PersonQuestions runId={run.id} state={state} heading="run-heading" />
      <RunTrouble state={state} onSelect={select} />
      <RunAnnouncer state={state} />
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <Waterfall
          state={state}
          now={now}
          selected={node?.id ?? null}
          onSelect={select}
          onOpen={() => detail.current?.focus()}
        />
        <section
          ref={detail}
          aria-label="Step"
          tabIndex={-1}
          className="flex min-h-0 flex-1 flex-col border-t -outline-offset-2 lg:w-[44%] lg:max-w-3xl lg:flex-none lg:border-t-0 lg:border-l"
        >
          {node ? (
            <NodeDetail
              key={node.id}
              runId={run.id}
              node={node}
              agents={agentsBelow(state, node.id)}
              isRoot={node === root}
              now={now}
              onSelect={select}
            />
          ) : (
            <p className="p-4 text-text-muted">Waiting for the first step …</p>
          )}
        </section>
      </div>
    </div>
  );
}

/** The selected step, kept in the address. */
function useSelectedNode(): [number | null, (id: number) => void] {
  const text = useSearchParams().get("node");
  const id = text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
  const select = (next: number): void => {
    const url = new URL(window.location.href);
    url.searchParams.set("node", String(next));
    window.history.replaceState(null, "", url);
  };
  return [id, select];
}
