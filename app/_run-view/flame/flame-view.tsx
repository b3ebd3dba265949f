import { type KeyboardEvent, useRef } from "react";
import { useSingleKeys } from "../../_ui/keys/single-keys";
import { useCanvas } from "../drawing/use-canvas";
import { toSharedMove } from "../grid/grid-keys";
import type { TimeViewProps } from "../state/use-timeline";
import { Axis } from "../time/axis";
import { PlayheadLine } from "../time/playhead-line";
import { drawFlame } from "./draw-flame";
import { describeSpan, toNeighbour } from "./flame-spans";
import { flameLaneHeight, useFlameGestures } from "./use-flame-gestures";

export default function FlameView(props: TimeViewProps) {
  const { timeline, playhead, selected, actions } = props;
  const { trace } = props.run;
  const { layout, colors, scale, runRange, hits, critical } = timeline;
  const singleKeys = useSingleKeys();
  const box = useRef<HTMLDivElement>(null);
  const { top, scrollTo, handlers } = useFlameGestures(box, props);
  const picture = { trace, layout, colors, scale, laneHeight: flameLaneHeight, top, selected, lit: hits ?? critical };
  const canvas = useCanvas((pen) => drawFlame(pen, { ...picture, finest: 1 }));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const nextSpan = toNeighbour(trace, selected, event.key);
    const move = nextSpan === null ? toSharedMove(event.key, singleKeys) : null;
    if (nextSpan === null && !move) return;
    event.preventDefault();
    if (move) actions.move(move);
    if (nextSpan === null) return;
    actions.select(nextSpan);
    const y = (layout.lane[nextSpan] ?? 0) * flameLaneHeight;
    if (y < top || y > top + 300) scrollTo(y - 100);
  };
  return (
    <div className="flex min-h-40 min-w-0 flex-1 flex-col">
      <div className="h-7 shrink-0 border-line border-b bg-surface-sunken text-text-muted text-xs">
        <Axis scale={scale} origin={runRange.start} playhead={playhead} />
      </div>
      <div
        ref={box}
        role="application"
        aria-label="Flame graph of the run"
        aria-roledescription="flame graph"
        aria-describedby="flame-selected"
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...handlers}
        className="relative min-h-0 flex-1 cursor-default touch-none overflow-hidden -outline-offset-2"
      >
        <canvas ref={canvas} className="absolute inset-0 size-full" />
        <PlayheadLine playhead={playhead} scale={scale} className="inset-y-0" />
      </div>
      <p id="flame-selected" role="status" className="sr-only">
        {describeSpan(trace, selected)}
      </p>
    </div>
  );
}
