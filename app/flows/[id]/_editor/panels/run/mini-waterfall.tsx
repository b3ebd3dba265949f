import { useMemo } from "react";
import { agentColor } from "@/app/_ui/agent-color";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { layOutBars, listAgentSteps } from "@/lib/core/trace/timeline/agent-steps";

const [width, height, gap, mostLanes] = [112, 16, 1, 5] as const;

/** The steps of a run over its time, one bar each. Decorative: the run panel has them as a table. */
export default function MiniWaterfall({ trace, now }: { trace: TraceView; now: number }) {
  const { bars, lanes } = useMemo(() => layOutBars(trace, listAgentSteps(trace), now, mostLanes), [trace, now]);
  const lane = (height - gap * (lanes - 1)) / lanes;
  return (
    <svg aria-hidden width={width} height={height} className="block rounded-xs bg-surface">
      {bars.map((bar) => (
        <rect
          key={bar.span}
          x={bar.start * width}
          y={bar.lane * (lane + gap)}
          width={Math.max(2, (bar.end - bar.start) * width - 1)}
          height={lane}
          rx={1}
          fill={agentColor(trace.agentNumberOf(trace.nameOf(bar.span)))}
        />
      ))}
    </svg>
  );
}
