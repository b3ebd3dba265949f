import { type PointerEvent, useRef } from "react";
import { type TimeScale, toTicks } from "@/lib/core/trace/timeline/time-scale";
import { formatDuration } from "../../_ui/format/format";
import { useWidth } from "../hooks/use-environment";
import type { PlayheadStore } from "./playhead";
import { PlayheadLine } from "./playhead-line";

/** Room for one label, in px. */
const labelWidth = 44;
/** Least distance of two ticks, in px. */
export const tickRoom = labelWidth * 1.4;
const downToEnd = "inset-y-0 [border-image:linear-gradient(var(--accent)_0_0)_0_fill/0/0_0_100dvh]";

interface AxisProps {
  scale: TimeScale;
  /** What counts as 0, in milliseconds since the epoch. */
  origin: number;
  playhead: PlayheadStore;
}

export function Axis({ scale, origin, playhead }: AxisProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 480);
  const move = ({ clientX, buttons }: PointerEvent): void => {
    const bounds = box.current?.getBoundingClientRect();
    if (buttons !== 1 || !bounds) return;
    playhead.setState({ time: scale.timeAt((clientX - bounds.left) / bounds.width), playing: false });
  };
  return (
    <div className="relative h-full">
      <div
        ref={box}
        aria-hidden
        className="absolute inset-0 cursor-col-resize touch-none overflow-hidden"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          move(event);
        }}
        onPointerMove={move}
      >
        {scale.gaps.map(({ start, end }) => (
          <span
            key={start}
            data-gap
            title={`${formatDuration(end - start)} without work`}
            className="absolute inset-y-0 border-line-strong border-x bg-surface-hover"
            style={{ left: `${scale.place(start) * 100}%`, width: `${(scale.place(end) - scale.place(start)) * 100}%` }}
          />
        ))}
        {toTicks(scale, origin, width, tickRoom).map(({ offset, x }) => (
          <span
            key={offset}
            className="absolute top-0 h-full whitespace-nowrap border-line-strong border-l pl-1 leading-6 tabular-nums"
            style={{ left: x }}
          >
            {width - x >= labelWidth ? formatTick(offset) : ""}
          </span>
        ))}
      </div>
      <PlayheadLine playhead={playhead} scale={scale} className={downToEnd} />
    </div>
  );
}

const formatTick = (ms: number): string => (ms === 0 ? "0" : formatDuration(ms).replace(".0 ", " "));
