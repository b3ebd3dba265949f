import { useSyncExternalStore } from "react";
import { formatAgo, formatDate, formatExact, formatShortAgo } from "./format";

/** One clock for all of them, so that a long list ticks together. */
const tickMs = 15_000;
const subscribe = (onTick: () => void): (() => void) => {
  const timer = setInterval(onTick, tickMs);
  return () => clearInterval(timer);
};
const readClock = (): number => Math.floor(Date.now() / tickMs) * tickMs;

/** How long ago, kept current; the exact time as title. `at` in milliseconds since the epoch. */
export function RelativeTime({ at: timeMs, isShort = false }: { at: number; isShort?: boolean }) {
  const now = useSyncExternalStore(subscribe, readClock, () => null);
  const iso = new Date(timeMs).toISOString();
  return (
    <time dateTime={iso} title={formatExact(timeMs, now === null ? "UTC" : undefined)} className="whitespace-nowrap">
      {now === null ? formatDate(timeMs, "UTC") : (isShort ? formatShortAgo : formatAgo)(timeMs, now + tickMs)}
    </time>
  );
}
