import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { memo, type RefObject } from "react";
import { throttle } from "../../_run/follow/throttle";
import { type RowSource, toRowValues } from "./row-values";
import { WaterfallRow } from "./waterfall-row";

interface WaterfallRowsProps {
  source: RowSource;
  active: number;
  height: number;
  scroller: RefObject<HTMLElement | null>;
}

const rowsAtOnce = 1024;
/** How often the rows follow a scroll, in milliseconds: the canvas follows at once. */
const scrollIntervalMs = 800;

/** Memoized by hand: its parent opts out of the compiler and renders far more often than the throttled source changes. */
export const WaterfallRows = memo(function WaterfallRows(props: WaterfallRowsProps) {
  "use no memo"; // The virtualizer is mutable.
  const { source, active, height, scroller } = props;
  const { rows } = source;
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    // The virtualizer measures again when the count changes: not with each new row.
    count: Math.ceil(rows.length / rowsAtOnce) * rowsAtOnce,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 4,
    initialRect: { width: 800, height: 800 },
    useFlushSync: false,
    observeElementOffset: observeThrottled,
  });
  const items = virtual.getVirtualItems().filter(({ index }) => index < rows.length);
  const [firstIndex, lastIndex] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  const row = (index: number) => (
    <WaterfallRow
      key={index}
      {...toRowValues(source, index)}
      index={index}
      selected={index === active}
      height={height}
    />
  );
  const alone = (index: number) => (
    <div key="alone" role="presentation" className="absolute inset-x-0" style={{ top: index * height }}>
      {row(index)}
    </div>
  );
  const isBefore = active >= 0 && active < firstIndex;
  return (
    <>
      {isBefore && alone(active)}
      <div role="presentation" style={{ paddingTop: firstIndex * height }}>
        {items.map(({ index }) => row(index))}
      </div>
      {active > lastIndex && active < rows.length && alone(active)}
    </>
  );
});

function observeThrottled(
  { scrollElement }: Virtualizer<HTMLElement, HTMLElement>,
  take: (offset: number, isScrolling: boolean) => void,
): (() => void) | undefined {
  if (!scrollElement) return;
  const look = throttle(() => take(scrollElement.scrollTop, false), scrollIntervalMs);
  look();
  scrollElement.addEventListener("scroll", look, { passive: true });
  return () => {
    look.stop();
    scrollElement.removeEventListener("scroll", look);
  };
}
