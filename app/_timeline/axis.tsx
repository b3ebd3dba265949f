"use client";
import { useRef } from "react";
import { toTicks } from "@/lib/core/trace/spans";
import { formatDuration } from "../_ui/format";
import { useWidth } from "./use-environment";

/** Room for one label, in px. */
const labelWidth = 44;

/** Round times above the bars, as many as there is room for. `length` in milliseconds. */
export function Axis({ length }: { length: number }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 480);
  const ticks = toTicks({ from: 0, to: length }, width, labelWidth * 1.4);
  return (
    <div ref={box} aria-hidden className="relative h-full overflow-hidden">
      {ticks.map((tick) => (
        <span
          key={tick}
          className="absolute top-1.5 h-full whitespace-nowrap border-line-strong border-l pl-1 leading-4 tabular-nums"
          style={{ left: `${(tick / length) * 100}%` }}
        >
          {width - (tick / length) * width >= labelWidth ? formatTick(tick) : ""}
        </span>
      ))}
    </div>
  );
}

const formatTick = (ms: number): string => (ms === 0 ? "0" : formatDuration(ms).replace(".0 ", " "));
