import { MessagesSquare } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { laneOf } from "@/lib/core/trace/conversation/conversation-entries";
import { EmptyState } from "../../_ui/controls/empty-state";
import { LoadProblem } from "../../_ui/controls/load-problem";
import { useWidth } from "../hooks/use-environment";
import type { TurnSource } from "../source/turn-source";
import { LaneHead } from "./lane-head";
import { areColumns, toLanes } from "./lanes";
import { findRepeatedTasks } from "./repeated-tasks";
import { type ConversationTime, TurnList } from "./turn-list";
import { useTurns } from "./use-turns";

interface ConversationProps {
  source: TurnSource;
  agents: readonly { path: string; name: string }[];
  /** The colour of an agent by its name. */
  colorOf(name: string): string;
  time: ConversationTime;
  selected: number | null;
  onSelect(nodeId: number): void;
}

export default function Conversation({ source, agents, colorOf, time, selected, onSelect }: ConversationProps) {
  const { live } = time;
  const feed = useTurns(source, live, selected);
  const [chosenLane, chooseLane] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 0);
  const lanes = toLanes(agents);
  const columns = areColumns(lanes, width) ? lanes : [];
  const onlyLane = columns.length > 0 || !lanes.some(({ key }) => key === chosenLane) ? "" : chosenLane;
  const turns = onlyLane === "" ? feed.turns : feed.turns.filter(({ agent }) => laneOf(agent.path) === onlyLane);
  const repeated = findRepeatedTasks(feed.turns);
  const { problem } = feed;
  return (
    <div ref={box} className="relative flex min-h-40 min-w-0 flex-1 flex-col">
      <LaneHead lanes={lanes} colorOf={colorOf} columns={columns.length} only={onlyLane} onChoose={chooseLane} />
      {turns.length > 0 && (
        <TurnList
          turns={turns}
          lanes={columns}
          feed={{ ...feed, colorOf, repeated }}
          time={time}
          selected={selected}
          onSelect={onSelect}
        />
      )}
      {problem !== null ? (
        <LoadProblem onRetry={feed.resume}>The conversation could not be loaded: {problem}</LoadProblem>
      ) : turns.length > 0 ? null : feed.isLoading || feed.hasMore || feed.hasEarlier ? (
        <Skeleton load={feed.loadNext ?? feed.loadEarlier} />
      ) : (
        <EmptyState icon={<MessagesSquare size={32} aria-hidden />} title="No messages yet">
          <p>{live ? "Waiting for the first message …" : "No agent of this run sent a message."}</p>
        </EmptyState>
      )}
    </div>
  );
}

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
