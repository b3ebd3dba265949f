"use client";
import { MessagesSquare } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { laneOf } from "@/lib/core/trace/conversation/conversation-entries";
import { Button } from "../../_ui/controls/button";
import { EmptyState } from "../../_ui/controls/empty-state";
import { useWidth } from "../hooks/use-environment";
import type { TurnSource } from "../source/turn-source";
import { LaneHead } from "./lane-head";
import { areColumns, toLanes } from "./lanes";
import { TurnList } from "./turn-list";
import { useTurns } from "./use-turns";

interface ConversationProps {
  /** Keep the object as long as the run is shown: another one begins anew. */
  source: TurnSource;
  /** The agents of the run, in the order of their lanes; rounds and visits of one may all be there. */
  agents: readonly { path: string; name: string }[];
  /** The selected step. */
  selected: number | null;
  onSelect(nodeId: number): void;
  /** When the run began, in milliseconds since the epoch. */
  began: number;
  /** The playhead, in milliseconds since the epoch: what was said later is dimmed. Null: nothing is. */
  until: number | null;
  /** The run goes on: what is new comes by itself. */
  live: boolean;
}

/** What was said in a run, in order of time: side by side for a few agents, else one below the other. */
export default function Conversation({ source, agents, live, ...listProps }: ConversationProps) {
  const feed = useTurns(source, live, listProps.selected);
  const [only, setOnly] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 0);
  const lanes = toLanes(agents);
  const columns = areColumns(lanes, width) ? lanes : [];
  const chosen = columns.length > 0 || !lanes.some(({ key }) => key === only) ? "" : only;
  const turns = chosen === "" ? feed.turns : feed.turns.filter(({ agent }) => laneOf(agent.path) === chosen);
  const { opened, hasEarlier, hasMore, isLoading, problem, open, goOn } = feed;
  const isReady = !isLoading && problem === null;
  const load = hasMore && isReady ? feed.load : null;
  const loadEarlier = hasEarlier && isReady ? feed.loadEarlier : null;
  return (
    <div ref={box} className="relative flex min-h-40 min-w-0 flex-1 flex-col">
      <LaneHead lanes={lanes} columns={columns.length} only={chosen} onChoose={setOnly} />
      {turns.length > 0 && opened && (
        <TurnList
          {...listProps}
          turns={turns}
          part={{ opened, hasEarlier, hasMore }}
          lanes={columns}
          live={live}
          open={open}
          load={load}
          loadEarlier={loadEarlier}
        />
      )}
      {problem !== null ? (
        <div role="alert" className="flex flex-wrap items-center gap-2 p-4 text-danger">
          The conversation could not be loaded: {problem}
          <Button size="small" onClick={goOn}>
            Try again
          </Button>
        </div>
      ) : turns.length > 0 ? null : isLoading || hasMore || hasEarlier ? (
        <Skeleton load={load ?? loadEarlier} />
      ) : (
        <EmptyState icon={<MessagesSquare size={32} aria-hidden />} title="Nothing was said yet">
          <p>{live ? "Waiting for the first words …" : "No agent of this run came to speak."}</p>
        </EmptyState>
      )}
    </div>
  );
}

/** Stands where the first turns will be. With a lane that is not among the turns so far it asks for more. */
function Skeleton({ load }: { load: (() => void) | null }) {
  useEffect(() => load?.(), [load]);
  return (
    <div role="status" aria-label="Loading the conversation" className="flex flex-col gap-2 p-3">
      {["w-3/4", "w-1/2", "w-2/3"].map((width) => (
        <div key={width} className={`h-16 animate-pulse rounded-md bg-surface-sunken ${width}`} />
      ))}
    </div>
  );
}
