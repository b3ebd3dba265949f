import dynamic from "next/dynamic";
import { laneOf } from "@/lib/core/trace/conversation/conversation-entries";
import { kindNumber, type TraceView } from "@/lib/core/trace/model/trace-view";
import { agentColor } from "../../_ui/agent-color";
import { loadPart } from "../../_ui/loading/load-part";
import { useKeyedMemo } from "../hooks/keyed-memo";
import type { TurnSource } from "../source/turn-source";
import type { TimeViewProps } from "../state/use-timeline";
import { useMoment } from "../time/displayed-moment";

const Conversation = dynamic(() => loadPart(() => import("./conversation")), { ssr: false });

type ConversationViewProps = Omit<TimeViewProps, "timeline"> & { source: TurnSource };

export function ConversationView({ source, run, playhead, selected, actions }: ConversationViewProps) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const { trace, live } = run;
  const until = useMoment(trace, playhead);
  const agents = useKeyedMemo([trace.names.values.length, trace.tails.values.length], () => toAgents(trace));
  return (
    <Conversation
      source={source}
      agents={agents}
      colorOf={(name) => agentColor(trace.agentNumberOf(name))}
      time={{ began: trace.run.startedAt ?? 0, until, live }}
      selected={selected + 1}
      onSelect={(id) => actions.select(id - 1)}
    />
  );
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
