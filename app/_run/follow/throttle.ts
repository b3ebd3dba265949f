import { useEffect, useRef, useState } from "react";

export function throttle(act: () => void, intervalMs: number): { (): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  const run = (): void => {
    isDue = false;
    act();
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) run();
    }, intervalMs);
  };
  const call = (): void => {
    if (timer === undefined) run();
    else isDue = true;
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    isDue = false;
  };
  return Object.assign(call, { stop });
}

export function useThrottled<T>(value: T, intervalMs: number): T {
  const newest = useRef(value);
  const [current, setCurrent] = useState(value);
  const [tell] = useState(() => throttle(() => setCurrent(newest.current), intervalMs));
  useEffect(() => {
    newest.current = value;
    if (!Object.is(value, current)) tell();
  });
  useEffect(() => tell.stop, [tell]);
  return current;
}
