import { useRef } from "react";
import { useThrottled } from "../../_run/follow/throttle";
import { useMedia } from "../../_ui/use-media";
import { useKeyedMemo } from "../hooks/keyed-memo";
import { JumpToLive, useFollow } from "../hooks/use-follow";
import type { TimeViewProps } from "../state/use-timeline";
import { useMoment } from "../time/displayed-moment";
import { columnWidths } from "./grid-columns";
import { GridHead } from "./grid-head";
import { RowCanvas } from "./row-canvas";
import type { RowSource } from "./row-values";
import { useGridInteraction } from "./use-grid-interaction";
import { useWheelZoom } from "./use-wheel-zoom";
import { activeRowId } from "./waterfall-row";
import { WaterfallRows } from "./waterfall-rows";

const rowHeight = 32;
const touchRowHeight = 44;
/** How often the rows for assistive technology follow the canvas of a live run, in milliseconds. */
const rowsIntervalMs = 800;

export function Waterfall(props: TimeViewProps) {
  const height = useMedia("(pointer: coarse)") ? touchRowHeight : rowHeight;
  return <Grid key={height} height={height} {...props} />;
}

/**
 * The tree of steps next to their bars in time. The rows are painted on a canvas; rows of text take its place for
 * assistive technology, and for everyone until the first paint.
 */
function Grid({ height, ...props }: TimeViewProps & { height: number }) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const { run, timeline, playhead } = props;
  const { trace, now, live } = run;
  const { rows, scale, runRange, colors, hits, critical } = timeline;
  const scroller = useRef<HTMLDivElement>(null);
  const moment = useMoment(trace, playhead);
  const follow = useFollow(scroller, { count: rows.length, live, size: rows.length * height });
  const { activeRow, handlers } = useGridInteraction(scroller, height, props);
  useWheelZoom(scroller, props);
  const newestSource: RowSource = { trace, rows, origin: runRange.start, timeOf: timeline.timeOf, moment };
  const source = useKeyedMemo(Object.values(newestSource), () => newestSource);
  const throttledSource = useThrottled(source, live ? rowsIntervalMs : 0);
  return (
    <div className="relative flex min-h-40 min-w-0 flex-1 flex-col [container-type:size]">
      <div
        ref={scroller}
        role="treegrid"
        aria-label="Steps of the run"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={activeRow >= 0 ? activeRowId : undefined}
        tabIndex={0}
        {...handlers}
        className={`group/grid relative min-h-0 flex-1 overflow-y-auto overflow-x-hidden bg-surface -outline-offset-2 ${columnWidths}`}
      >
        <GridHead scale={scale} origin={runRange.start} playhead={playhead} />
        <RowCanvas
          source={source}
          scroller={scroller}
          content={{ scale, now, colors, hits, critical, active: activeRow, height }}
        />
        <div
          role="rowgroup"
          className="relative forced-colors:opacity-100! group-data-painted/grid:opacity-0 print:opacity-100!"
          style={{ height: rows.length * height }}
        >
          <WaterfallRows source={throttledSource} active={activeRow} height={height} scroller={scroller} />
        </div>
        {rows.length === 0 && <p className="p-4 text-text-muted">No step matches.</p>}
      </div>
      <JumpToLive
        missed={follow.missed}
        onJump={() => {
          follow.resume();
          scroller.current?.focus();
        }}
      />
    </div>
  );
}
