"use client";
import { useEffect, useState } from "react";
import { fromTraceSnapshot, type TraceSnapshot } from "@/lib/core/trace/model/trace-snapshot";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import type { ConnectionStatus } from "../../_run/follow/follow-line";
import { messageOf } from "../../_ui/loading/fetch-json";
import { throttle } from "../hooks/throttle";
import type { TraceSource } from "./trace-source";

export interface LoadedTrace {
  /** Null: not here yet. */
  trace: TraceView | null;
  /** When it came, in milliseconds since the epoch; 0: it came with the page. */
  receivedAt: number;
  connection: ConnectionStatus;
  /** Why it could not be loaded. */
  problem: string | null;
}

/** A run that changes all the time is shown so often, in milliseconds: what happens is seen within a tenth of a second. */
const pictureMs = 60;

/** The trace of a source, kept up to date. `structure` is shown until the source has answered, also by the server. */
export function useTrace(source: TraceSource, structure: TraceSnapshot | null): LoadedTrace {
  const [loaded, setLoaded] = useState<LoadedTrace>(() => ({
    trace: structure ? fromTraceSnapshot(structure).view() : null,
    receivedAt: 0,
    connection: "connecting",
    problem: null,
  }));
  useEffect(() => {
    const controller = new AbortController();
    let stop = (): void => {};
    source.load(controller.signal).then(
      (trace) => {
        if (controller.signal.aborted) return;
        let connection: ConnectionStatus = "connecting";
        const publish = throttle(
          () => setLoaded({ trace: trace.view(), receivedAt: Date.now(), connection, problem: null }),
          pictureMs,
        );
        publish();
        const leave = source.follow(trace, (news) => {
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
  }, [source]);
  return loaded;
}
