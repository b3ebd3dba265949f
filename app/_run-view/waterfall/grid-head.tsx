import type { TimeScale } from "@/lib/core/trace/timeline/time-scale";
import { Axis } from "../time/axis";
import type { PlayheadStore } from "../time/playhead";
import { columnGrid, headHeight } from "./grid-columns";

const numberHeads = [
  ["tokens", "Tokens"],
  ["cost", "Cost"],
  ["time", "Time"],
] as const;

export function GridHead({ scale, origin, playhead }: { scale: TimeScale; origin: number; playhead: PlayheadStore }) {
  return (
    <div
      role="rowgroup"
      className="sticky top-0 z-10 border-line border-b bg-surface-sunken font-medium text-[11px] text-text-muted"
      style={{ height: headHeight }}
    >
      <div role="row" aria-rowindex={1} tabIndex={-1} className={`relative h-full leading-6 ${columnGrid}`}>
        <span role="columnheader" tabIndex={-1} data-column="step" className="overflow-hidden px-3">
          Step
        </span>
        {numberHeads.map(([column, word]) => (
          <span
            key={column}
            role="columnheader"
            tabIndex={-1}
            data-column={column}
            className="overflow-hidden text-right"
          >
            {word}
          </span>
        ))}
        <div
          role="columnheader"
          tabIndex={-1}
          aria-label="When"
          data-column="bars"
          className="relative mx-3 min-w-0 leading-4"
        >
          <Axis scale={scale} origin={origin} playhead={playhead} />
        </div>
      </div>
    </div>
  );
}
