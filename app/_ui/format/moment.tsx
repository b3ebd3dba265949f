import { useSyncExternalStore } from "react";
import { formatMoment } from "./format";

const subscribe = (): (() => void) => () => {};

/** A moment by the clock of the user, who may be in another time zone than the server. `at`: milliseconds since the epoch. */
export function Moment({ at: timeMs }: { at: number }) {
  const isInBrowser = useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
  const iso = new Date(timeMs).toISOString();
  return (
    <time dateTime={iso} title={isInBrowser ? new Date(timeMs).toLocaleString() : iso} className="whitespace-nowrap">
      {isInBrowser ? formatMoment(timeMs, Date.now()) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`}
    </time>
  );
}
