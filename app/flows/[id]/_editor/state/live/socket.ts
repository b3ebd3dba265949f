import type { ClientMessage } from "@/lib/core/live/messages";

const [firstPauseMs, longestPauseMs] = [300, 30_000];
/** A network that comes back soon is tried again soon. */
const quickTries = 8;
const quickPauseMs = 2_000;

/** A connection that lasts so long was none of the failures. */
const lastingMs = 5_000;

export interface LiveSocket {
  /** Without a connection nothing is sent. */
  send(message: ClientMessage): void;
  sendBytes(bytes: Uint8Array): void;
  stop(): void;
}

interface SocketHandlers {
  onOpen(): void;
  onMessage(data: unknown): void;
  onBytes(bytes: Uint8Array): void;
  /** The connection was lost, or could not be opened; it is tried again. */
  onLost(code: number): void;
}

const toPause = (tries: number): number =>
  Math.min(tries <= quickTries ? quickPauseMs : longestPauseMs, firstPauseMs * 2 ** (tries - 1));

/** Nothing that is on its way arrives any more. */
function close(socket: WebSocket): void {
  socket.onopen = socket.onmessage = null;
  socket.close();
}

/** A WebSocket that is opened again whenever it is lost, until it is stopped. */
export function createSocket(path: string, { onOpen, onMessage, onBytes, onLost }: SocketHandlers): LiveSocket {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [tries, openedAt] = [0, 0];
  let isStopped = false;

  const open = (): void => {
    clearTimeout(timer);
    if (isStopped || socket) return;
    const opened = new WebSocket(path.startsWith("/") ? location.origin.replace(/^http/, "ws") + path : path);
    opened.binaryType = "arraybuffer";
    socket = opened;
    opened.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data instanceof ArrayBuffer) onBytes(new Uint8Array(data));
      else if (typeof data === "string") onMessage(JSON.parse(data));
    };
    opened.onopen = () => {
      openedAt = Date.now();
      onOpen();
    };
    opened.onclose = ({ code }) => lose(opened, code);
  };
  const lose = (lost: WebSocket, code: number): void => {
    if (socket !== lost) return;
    socket = null;
    lost.onopen = lost.onmessage = null;
    tries = openedAt > 0 && Date.now() - openedAt > lastingMs ? 1 : tries + 1;
    openedAt = 0;
    timer = setTimeout(open, toPause(tries));
    onLost(code);
  };
  /** Browsers keep a connection for minutes that has no network any more. */
  const leave = (): void => {
    const left = socket;
    if (!left) return;
    close(left);
    lose(left, 1006);
  };
  const isOpen = (): boolean => socket?.readyState === WebSocket.OPEN;
  window.addEventListener("online", open);
  window.addEventListener("offline", leave);
  open();
  return {
    send(message) {
      if (isOpen()) socket?.send(JSON.stringify(message));
    },
    sendBytes(bytes) {
      if (isOpen()) socket?.send(new Uint8Array(bytes));
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      window.removeEventListener("online", open);
      window.removeEventListener("offline", leave);
      if (socket) close(socket);
      socket = null;
    },
  };
}
