/** `connecting` and `retrying` have no line to the server; `ended`: the run is over and everything is here. */
export type ConnectionStatus = "connecting" | "live" | "retrying" | "ended";

/** What of an EventSource is used. `onping`: the server said that it is still there. */
export interface EventLine extends Pick<EventSource, "onopen" | "onerror" | "onmessage" | "readyState" | "close"> {
  onping: (() => void) | null;
}

/** What following needs from the browser. Each timer answers with how to call it off. */
export interface FollowPorts {
  open(url: string): EventLine;
  /** Before the next picture is drawn, or shortly when nothing is drawn. */
  beforePicture(callback: () => void): () => void;
  after(ms: number, callback: () => void): () => void;
}

/** Whoever takes what comes over the line. */
export interface Follower {
  /** Where to go on: the address of everything behind what was taken. */
  address(): string;
  /** Takes one message; `last`: nothing comes after it. What cannot be read is left out. */
  take(data: string): "more" | "last" | "unread";
  /** At most once a picture, and when the connection changes. */
  show(connection: ConnectionStatus): void;
}

/** `EventSource.CLOSED`: it will not try again by itself, for the server refused. */
const closed = 2;
const longestWaitMs = 10_000;
/** The server says something every 15 s; a line that is silent for so long is dead, whatever it looks like. */
const silenceMs = 40_000;

/**
 * Follows a run over server-sent events. A broken line is taken up behind the last message, also when the server refused for
 * a while, or when a line fell silent because the computer slept. Returns how to stop; nothing is shown after that.
 */
export function followLine(follower: Follower, ports: FollowPorts): () => void {
  let connection: ConnectionStatus = "connecting";
  let line: EventLine | null = null;
  let refusals = 0;
  let stopped = false;
  let cancelShow: (() => void) | null = null;
  let cancelRetry = (): void => {};
  let cancelWatch = (): void => {};

  const show = (): void => {
    cancelShow?.();
    cancelShow = null;
    follower.show(connection);
  };
  const changeConnection = (next: ConnectionStatus): void => {
    connection = next;
    show();
  };
  const watch = (): void => {
    cancelWatch();
    cancelWatch = ports.after(silenceMs, () => {
      line?.close();
      changeConnection("retrying");
      connect();
    });
  };
  const stop = (): void => {
    stopped = true;
    line?.close();
    cancelWatch();
    cancelRetry();
  };
  const connect = (): void => {
    const opened = ports.open(follower.address());
    line = opened;
    watch();
    opened.onopen = () => {
      refusals = 0;
      watch();
      changeConnection("live");
    };
    opened.onping = watch;
    opened.onmessage = ({ data }) => {
      watch();
      const outcome = follower.take(String(data));
      if (outcome === "last") {
        stop();
        changeConnection("ended");
      } else if (outcome === "more") cancelShow ??= ports.beforePicture(show);
    };
    opened.onerror = () => {
      if (stopped) return;
      changeConnection("retrying");
      if (opened.readyState !== closed) return;
      cancelWatch();
      cancelRetry = ports.after(Math.min(1000 * 2 ** refusals, longestWaitMs), connect);
      refusals++;
    };
  };

  connect();
  return () => {
    stop();
    cancelShow?.();
  };
}
