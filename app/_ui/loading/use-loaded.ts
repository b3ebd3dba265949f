import { useEffect, useEffectEvent, useState } from "react";
import { messageOf } from "./fetch-json";

export interface LoadedValue<T> {
  /** The last answer; null until the first one. */
  value: T | null;
  /** Whether the answer belongs to the current key, not to an earlier one. */
  isCurrent: boolean;
  problem: string | null;
  retry(): void;
}

interface LoadOptions {
  /** Null requests nothing. */
  key: string | null;
  /** Requests the same again so long after each answer, in milliseconds. */
  refreshMs?: number | undefined;
}

/** The answer of a request, which is sent again when the key changes. A superseded request is aborted and never counts. */
export function useLoaded<T>(
  { key, refreshMs }: LoadOptions,
  load: (signal: AbortSignal) => Promise<T>,
): LoadedValue<T> {
  const [answer, setAnswer] = useState<{ key: string; value: T } | null>(null);
  const [failure, setFailure] = useState<{ request: string; problem: string } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const request = key === null ? null : `${key} ${attempt}`;
  const send = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    if (key === null || request === null) return;
    await load(signal).then(
      (value) => {
        if (signal.aborted) return;
        setAnswer({ key, value });
        setFailure(null);
      },
      (error: unknown) => {
        if (!signal.aborted) setFailure({ request, problem: messageOf(error) });
      },
    );
  });
  useEffect(() => {
    if (request === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const sendAndRepeat = async (): Promise<void> => {
      await send(signal);
      if (refreshMs !== undefined && !signal.aborted) timer = setTimeout(() => void sendAndRepeat(), refreshMs);
    };
    void sendAndRepeat();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [request, refreshMs]);
  return {
    value: answer?.value ?? null,
    isCurrent: answer !== null && answer.key === key,
    problem: failure !== null && failure.request === request ? failure.problem : null,
    retry: () => setAttempt(attempt + 1),
  };
}
