"use client";
import dynamic from "next/dynamic";
import { type ComponentType, useState } from "react";
import { laneOf } from "@/lib/core/trace/conversation/conversation-entries";
import { kindNumber, type TraceView } from "@/lib/core/trace/model/trace-view";
import { loadPart } from "../../_ui/loading/load-part";
import { memoizeLast } from "../hooks/memoize-last";
import type { TurnSource } from "../source/turn-source";
import type { ConversationProps } from "../timeline/timeline";

const Conversation = dynamic(() => loadPart(() => import("./conversation")), { ssr: false });

export function bindConversation(source: TurnSource): ComponentType<ConversationProps> {
  return function BoundConversation({ trace, live, until, selected, onSelect }) {
    "use no memo"; // A trace changes without its tables changing their identity.
    const [agentsOf] = useState(() =>
      memoizeLast(
        (currentTrace: TraceView) => [currentTrace.names.values.length, currentTrace.tails.values.length],
        toAgents,
      ),
    );
    return (
      <Conversation
        source={source}
        agents={agentsOf(trace)}
        time={{ began: trace.run.startedAt ?? 0, until, live }}
        selected={selected}
        onSelect={onSelect}
      />
    );
  };
}

function toAgents(trace: TraceView): { path: string; name: string }[] {
  const agent = kindNumber("agent");
  const lanes = new Set<string>();
  const agents: { path: string; name: string }[] = [];
  for (let span = 0; span < trace.length; span++) {
    if (trace.columns.kind[span] !== agent) continue;
    const path = trace.pathOf(span);
    const lane = laneOf(path);
    if (lanes.has(lane)) continue;
    lanes.add(lane);
    agents.push({ path, name: trace.nameOf(span) });
  }
  return agents;
}
