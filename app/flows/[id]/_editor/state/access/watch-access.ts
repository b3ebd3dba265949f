import type { Session } from "../session";
import { findAccessLoss } from "./find-access-loss";
import { isConnectionLost } from "./is-connection-lost";

interface AccessHandlers {
  /** Until `onRegained` is called nothing is sent for the session. */
  onLost(): void;
  onRegained(): void;
}

export type AccessWatch = ReturnType<typeof watchAccess>;

/**
 * Finds out whether the user can still change the flow, whenever a save is refused or the connection to the others is lost,
 * and when the user comes back to the page without access. Shows the loss in a dialog.
 */
export function watchAccess(session: Session, { onLost, onRegained }: AccessHandlers) {
  const { seed, access, autosave, live, view } = session;
  let checking: Promise<void> | null = null;
  let isStopped = false;
  const isLost = (): boolean => autosave.store.getState().phase === "no-access";

  const check = async (): Promise<void> => {
    // A server that does not answer takes no access away: the next save or connection asks again.
    const loss = await findAccessLoss(seed.id, access).catch(() => undefined);
    if (isStopped || loss === undefined) return;
    if (loss === null) return isLost() ? regain() : undefined;
    if (autosave.store.getState().accessLoss === loss) return;
    onLost();
    autosave.apply({ type: "access-lost", loss });
    view.setState({ dialog: "no-access" });
  };
  const regain = (): void => {
    autosave.apply({ type: "access-regained" });
    view.setState(({ dialog }) => ({ dialog: dialog === "no-access" ? null : dialog }));
    onRegained();
  };
  const checkOnce = (): Promise<void> => {
    checking ??= check().finally(() => {
      checking = null;
    });
    return checking;
  };
  const stops = [
    autosave.store.subscribe(({ phase, retryable }, before) => {
      if (phase === "failed" && !retryable && before.phase !== "failed") void checkOnce();
    }),
    live.store.subscribe((state, before) => {
      if (isLost()) return;
      const isDemoted = state.self?.canWrite === false && before.self?.canWrite === true;
      if (isConnectionLost(state) || isDemoted) void checkOnce();
    }),
    whenShown(() => {
      if (isLost()) void checkOnce();
    }),
  ];
  return {
    /** Resolves when it is known, or the server does not answer. */
    check: checkOnce,
    stop(): void {
      isStopped = true;
      for (const stop of stops) stop();
    },
  };
}

/** Or once the network is back. */
function whenShown(act: () => void): () => void {
  const actIfVisible = (): void => {
    if (document.visibilityState === "visible") act();
  };
  const listeners = new AbortController();
  document.addEventListener("visibilitychange", actIfVisible, { signal: listeners.signal });
  window.addEventListener("online", actIfVisible, { signal: listeners.signal });
  return () => listeners.abort();
}
