import { loadPart } from "@/app/_ui/loading/load-part";
import { whenIdle } from "@/app/_ui/loading/when-idle";
import type { Session } from "../session";
import { watchAccess } from "./watch-access";

/** What is saved before the others are known may conflict with them; after this many milliseconds it is saved anyway. */
const maxHoldMs = 3000;

/** After this many milliseconds the browser's storage is not waited for: what it has is offered on the next visit. */
const maxRestoreMs = 5000;

/** After this many milliseconds of a connection, or without one, a conflict is one with people who cannot be reached. */
const maxConnectMs = 15_000;

/** The same for connections that are opened and lost again and again. */
const maxUnknownMs = 45_000;

/**
 * Connects a session with the others who have the flow open, while its user has access. What the last visit left unsaved is
 * merged with their document, so it comes first (`restored`). Returns the function that ends the connection.
 */
export function connectLive(session: Session, restored: Promise<void> = Promise.resolve()): () => void {
  const { live } = session;
  let disconnect = connectOnce(session, restored);
  const watch = watchAccess(session, {
    onLost(): void {
      disconnect();
      live.store.setState({ status: "off", peers: [], following: null });
    },
    onRegained(): void {
      disconnect = connectOnce(session, restored);
      session.notify.info("You have access to this flow again. Your text is being saved.");
    },
  });
  const detach = session.accessPort.attach(watch.check);
  return () => {
    detach();
    watch.stop();
    disconnect();
  };
}

/** Holds saves until it is known who else has the flow open, but not for long. */
function connectOnce(session: Session, restored: Promise<void>): () => void {
  const { live } = session;
  const stops: (() => void)[] = [];
  let isStopped = false;
  const release = live.holdSaves();
  const holdTimer = setTimeout(release, maxHoldMs);
  const known = createDeadline(live);
  const connect = async (): Promise<void> => {
    const [{ startLive }] = await Promise.all([
      loadPart(() => import("../live/live-link")),
      Promise.race([restored.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, maxRestoreMs))]),
    ]);
    if (isStopped) return;
    stops.push(
      startLive(session, {
        onKnown(): void {
          release();
          known.end();
        },
        onTry: known.begin,
      }),
    );
  };
  stops.push(whenIdle(() => void connect()));
  return () => {
    isStopped = true;
    clearTimeout(holdTimer);
    known.stop();
    release();
    for (const stop of stops) stop();
  };
}

/** How long it may be unknown who else has the flow open. */
function createDeadline(live: Session["live"]) {
  let since: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(timer);
    since = null;
    live.setKnown();
  };
  const begin = (): void => {
    since ??= Date.now();
    live.setUnknown();
    clearTimeout(timer);
    timer = setTimeout(end, Math.min(maxConnectMs, since + maxUnknownMs - Date.now()));
  };
  begin();
  return { begin, end, stop: (): void => clearTimeout(timer) };
}
