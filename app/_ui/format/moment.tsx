import { useSyncExternalStore } from "react";
import { formatExact, formatMoment } from "./format";

const subscribe = (): (() => void) => () => {};

/** A moment by the clock of the user, who may be in another time zone than the server. `at`: milliseconds since the epoch. */
export function Moment({ at: timeMs }: { at: number }) {
  const isInBrowser = useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
  const iso = new Date(timeMs).toISOString();
  const exact = formatExact(timeMs, isInBrowser ? undefined : "UTC");
  return (
    <time dateTime={iso} title={exact} className="whitespace-nowrap">
      {isInBrowser ? formatMoment(timeMs, Date.now()) : exact}
    </time>
  );
}
