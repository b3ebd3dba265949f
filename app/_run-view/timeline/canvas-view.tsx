import { type ComponentType, useState } from "react";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { type NodeStatuses, SpanKeys, toNodeStatuses } from "@/lib/core/trace/model/node-statuses";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { useKeyedMemo } from "../hooks/keyed-memo";
import type { TimeViewProps } from "../state/use-timeline";
import { useMoment } from "../time/displayed-moment";

export interface CanvasProps {
  statuses: NodeStatuses;
  selected: NodeKey | null;
  onSelect(key: NodeKey | null): void;
}

type CanvasViewProps = Omit<TimeViewProps, "timeline"> & { canvas: ComponentType<CanvasProps> };

export function CanvasView({ run, canvas: Canvas, playhead, selected, actions }: CanvasViewProps) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const { trace } = run;
  const moment = useMoment(trace, playhead);
  const [keys] = useState(() => new SpanKeys());
  const statuses = useKeyedMemo<NodeStatuses>([trace.version, moment], (previous) =>
    toNodeStatuses(trace, moment, keys, previous ?? new Map()),
  );
  const numbers = keys.of(trace);
  const number = findDrawnAncestor(trace, numbers, selected);
  const choose = (key: NodeKey | null): void => {
    if (key === null) return;
    // The last execution up to the displayed moment.
    const last = numbers.findLastIndex(
      (keyNumber, span) =>
        keyNumber >= 0 && keys.at(keyNumber) === key && (moment === null || (trace.columns.start[span] ?? 0) <= moment),
    );
    if (last >= 0) actions.select(last);
  };
  return <Canvas statuses={statuses} selected={number < 0 ? null : keys.at(number)} onSelect={choose} />;
}

/** The key number of the step, or of its nearest ancestor on the canvas; -1: there is none. */
function findDrawnAncestor({ columns }: TraceView, numbers: readonly number[], span: number): number {
  let ancestor = span;
  while (ancestor >= 0 && (numbers[ancestor] ?? -1) < 0) ancestor = columns.parent[ancestor] ?? -1;
  return numbers[ancestor] ?? -1;
}
