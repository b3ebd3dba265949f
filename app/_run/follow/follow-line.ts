export type ConnectionStatus = "connecting" | "live" | "retrying" | "ended";

/** The used members of an EventSource. `onping`: the server's heartbeat. */
export interface EventLine extends Pick<EventSource, "onopen" | "onerror" | "onmessage" | "readyState" | "close"> {
  onping: (() => void) | null;
}

export interface FollowPorts {
  open(url: string): EventLine;
  beforePicture(callback: () => void): () => void;
  after(ms: number, callback: () => void): () => void;
}

export interface Follower {
  address(): string;
  take(data: string): "more" | "last" | "unread";
  /** At most once a frame, and when the connection changes. */
  show(connection: ConnectionStatus): void;
}

/** `EventSource.CLOSED`: the server refused, and the browser does not reconnect. */
const closed = 2;
const maxRetryMs = 10_000;
/** The server sends a heartbeat every 15 s: a connection that is silent for so long is dead. */
const silenceMs = 40_000;

/**
 * Follows a run over server-sent events. Reconnects after the last message when the connection breaks, the server
 * refuses, or the line falls silent because the computer slept. Returns a function that stops; nothing is shown after it.
 */
export function followLine(follower: Follower, ports: FollowPorts): () => void {
  const display = createDisplay(follower, ports);
  let line: EventLine | null = null;
  let refusals = 0;
  let stopped = false;
  let cancelRetry = (): void => {};
  let cancelSilenceTimer = (): void => {};

  const restartSilenceTimer = (): void => {
    cancelSilenceTimer();
    cancelSilenceTimer = ports.after(silenceMs, () => {
      line?.close();
      display.changeConnection("retrying");
      connect();
    });
  };
  const stop = (): void => {
    stopped = true;
    line?.close();
    cancelSilenceTimer();
    cancelRetry();
  };
  const connect = (): void => {
    const opened = ports.open(follower.address());
    line = opened;
    restartSilenceTimer();
    opened.onopen = () => {
      refusals = 0;
      restartSilenceTimer();
      display.changeConnection("live");
    };
    opened.onping = restartSilenceTimer;
    opened.onmessage = ({ data }) => {
      restartSilenceTimer();
      const outcome = follower.take(String(data));
      if (outcome === "last") {
        stop();
        display.changeConnection("ended");
      } else if (outcome === "more") display.schedule();
    };
    opened.onerror = () => {
      if (stopped) return;
      display.changeConnection("retrying");
      if (opened.readyState !== closed) return;
      cancelSilenceTimer();
      cancelRetry = ports.after(Math.min(1000 * 2 ** refusals, maxRetryMs), connect);
      refusals++;
    };
  };

  connect();
  return () => {
    stop();
    display.cancel();
  };
}

function createDisplay(follower: Follower, ports: FollowPorts) {
  let connection: ConnectionStatus = "connecting";
  let cancelScheduled: (() => void) | null = null;
  const show = (): void => {
    cancelScheduled?.();
    cancelScheduled = null;
    follower.show(connection);
  };
  return {
    changeConnection(status: ConnectionStatus): void {
      connection = status;
      show();
    },
    schedule(): void {
      cancelScheduled ??= ports.beforePicture(show);
    },
    cancel: (): void => cancelScheduled?.(),
  };
}

function openLine(url: string): EventLine {
  const source = new EventSource(url);
  const line: EventLine = Object.assign(source, { onping: null });
  source.addEventListener("ping", () => line.onping?.());
  return line;
}

export const browserPorts: FollowPorts = {
  open: openLine,
  beforePicture: (callback) => {
    // A hidden page draws no frames, but its title and announcements still follow the run.
    if (document.hidden) return browserPorts.after(250, callback);
    const frame = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(frame);
  },
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
