import { useEffect, useState } from "react";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { messageOf } from "../../_ui/loading/fetch-json";
import type { ConnectionStatus } from "./follow-line";
import { throttle } from "./throttle";
import type { TraceSource } from "./trace-source";

export interface LoadedTrace {
  /** Null: not loaded yet. */
  trace: TraceView | null;
  /** In milliseconds since the epoch; 0: it was part of the page. */
  receivedAt: number;
  connection: ConnectionStatus;
  problem: string | null;
}

/** How often a live run is rendered at most, in milliseconds: events are visible within a tenth of a second. */
const pictureMs = 60;

/** Loads a run and follows it to its end. Later values of `source` are ignored. */
export function useTrace(source: TraceSource): LoadedTrace & { retry(): void } {
  const [attempt, setAttempt] = useState({ source });
  const [loaded, setLoaded] = useState<LoadedTrace>(() => ({
    trace: source.initial?.view() ?? null,
    receivedAt: 0,
    connection: "connecting",
    problem: null,
  }));
  useEffect(() => {
    const controller = new AbortController();
    let stop = (): void => {};
    attempt.source.load(controller.signal).then(
      (trace) => {
        if (controller.signal.aborted) return;
        let connection: ConnectionStatus = "connecting";
        const publish = throttle(
          () => setLoaded({ trace: trace.view(), receivedAt: Date.now(), connection, problem: null }),
          pictureMs,
        );
        publish();
        const leave = attempt.source.follow(trace, (news) => {
          connection = news;
          publish();
        });
        stop = () => {
          leave();
          publish.stop();
        };
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setLoaded((last) => ({ ...last, problem: messageOf(error) }));
      },
    );
    return () => {
      controller.abort();
      stop();
    };
  }, [attempt]);
  const retry = (): void => {
    setLoaded((last) => ({ ...last, problem: null }));
    setAttempt({ ...attempt });
  };
  return { ...loaded, retry };
}
