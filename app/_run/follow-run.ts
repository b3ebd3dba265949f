import { isTerminal, type RunEvent, runEventSchema } from "@/lib/core/run/events";
import { foldEvents } from "@/lib/core/trace/fold";
import type { RunState } from "@/lib/core/trace/run-state";

/** `connecting` and `retrying` have no line to the server; `ended`: the run is over and everything is here. */
export type Connection = "connecting" | "live" | "retrying" | "ended";

/** What of an EventSource is used. */
export type EventLine = Pick<EventSource, "onopen" | "onerror" | "onmessage" | "readyState" | "close">;

/** What following needs from the browser. Each timer answers with how to call it off. */
export interface FollowPorts {
  open(url: string): EventLine;
  /** Before the next picture is drawn, or shortly when nothing is drawn. */
  beforePicture(callback: () => void): () => void;
  after(ms: number, callback: () => void): () => void;
}

/** `EventSource.CLOSED`: it will not try again by itself, for the server refused. */
const closed = 2;
const longestWaitMs = 10_000;

/**
 * Follows a run from `initial` on: folds its events with the same code as the server and calls `show` at most once a
 * picture. A broken line is taken up behind the last event, also when the server refused for a while; an event that
 * cannot be read is left out. Returns how to stop; `show` is never called after that.
 */
export function followRun(
  runId: string,
  initial: RunState,
  show: (state: RunState, connection: Connection) => void,
  ports: FollowPorts,
): () => void {
  let state = initial;
  let connection: Connection = "connecting";
  let batch: RunEvent[] = [];
  let line: EventLine | null = null;
  let refusals = 0;
  let stopped = false;
  let cancelFlush: (() => void) | null = null;
  let cancelRetry = (): void => {};

  const flush = (): void => {
    cancelFlush?.();
    cancelFlush = null;
    state = foldEvents(state, batch);
    batch = [];
    show(state, connection);
  };
  const tell = (next: Connection): void => {
    connection = next;
    flush();
  };
  const take = ({ data }: MessageEvent): void => {
    const event = readEvent(data);
    if (event) batch.push(event);
    if (event?.type === "run.finished") {
      line?.close();
      tell("ended");
    } else cancelFlush ??= ports.beforePicture(flush);
  };
  const connect = (): void => {
    const opened = ports.open(`/api/v1/runs/${runId}/events?after=${state.seq}`);
    line = opened;
    opened.onopen = () => {
      refusals = 0;
      tell("live");
    };
    opened.onmessage = take;
    opened.onerror = () => {
      if (stopped || connection === "ended") return;
      tell("retrying");
      if (opened.readyState !== closed) return;
      cancelRetry = ports.after(Math.min(1000 * 2 ** refusals, longestWaitMs), connect);
      refusals++;
    };
  };

  if (isTerminal(state.status)) {
    show(state, "ended");
    return () => {};
  }
  connect();
  return () => {
    stopped = true;
    line?.close();
    cancelFlush?.();
    cancelRetry();
  };
}

function readEvent(data: unknown): RunEvent | null {
  try {
    const result = runEventSchema.safeParse(JSON.parse(String(data)));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
