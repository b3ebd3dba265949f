import { connectLive } from "../../access/connect-live";
import { startLocalBackup } from "../../backup/local-backup";
import { followEdits } from "../../follow-edits";
import { catchUp } from "../../save/catch-up";
import { watchConflicts } from "../../save/resolve-conflict";
import type { Seed, Session } from "../../session";
import { openSession } from "../open-session";
import { type Tab, tabs } from "./browser";
import { printTexts } from "./written-texts";

export type RenderedFlow = Pick<Seed, "id" | "source" | "layout" | "revision">;

/** An open page of the editor. */
export interface Visit {
  tab: Tab;
  session: Session;
  /** Resolves when what the last visit left is shown. */
  restored: Promise<void>;
  /** Runs code of this page. */
  run<T>(act: () => T): T;
  /** All that is written on it. */
  getText(): string;
  setOnline(isOnline: boolean): void;
  /** Lets it open connections for live editing, or not. */
  setLive(isReachable: boolean): void;
  /** Ends everything that is faulty. */
  heal(): void;
  /** The page dies: nothing more is sent or stored. */
  kill(): void;
  /** A reload: the page is told, then it is gone. */
  leave(): void;
  /** Another page of the app: the code goes on until everything is saved. */
  route(): void;
}

/** What a page starts; the returned functions end it. `start-session.ts` does the same, once the flow is on screen. */
function startPage(session: Session) {
  const { autosave } = session;
  const retry = (): void => {
    const { phase } = autosave.store.getState();
    if (phase === "offline" || phase === "failed") void autosave.flush();
  };
  window.addEventListener("online", retry);
  const backup = startLocalBackup(session);
  void backup.restored.then(() => catchUp(session));
  const disconnect = connectLive(session, backup.restored);
  const stops = [watchConflicts(session), followEdits(session)];
  return {
    restored: backup.restored,
    disconnect,
    stop(): void {
      const leaving = autosave.flushOnLeave();
      backup.stop(leaving);
      disconnect();
      for (const stop of stops) stop();
      window.removeEventListener("online", retry);
      autosave.stop();
      session.editor.stop();
    },
  };
}

function openPage(tab: Tab, { source, ...rendered }: RenderedFlow): Visit {
  const session = openSession(source, rendered);
  const { restored, disconnect, stop } = startPage(session);
  const run = <T>(act: () => T): T => tabs.run(tab, act);
  const dispatch = (type: string): void => void run(() => tab.events.dispatchEvent(new Event(type)));
  const kill = (): void => {
    tab.isDead = true;
    for (const [name, holder] of tab.browser.locks) if (holder === tab) tab.browser.locks.delete(name);
    dispatch("dead");
    for (const socket of tab.sockets) socket.terminate();
    session.autosave.stop();
    run(disconnect);
  };
  const setOnline = (isOnline: boolean): void => {
    if (tab.isOnline === isOnline) return;
    Object.assign(tab, { isOnline, losesSent: false });
    dispatch(isOnline ? "online" : "offline");
  };
  return {
    ...{ tab, session, restored, run, setOnline, kill },
    getText() {
      const { text: source, layout } = session.editor.store.getState();
      return printTexts({ source, layout });
    },
    setLive(isReachable) {
      tab.reachesLive = isReachable;
      if (isReachable) dispatch("online");
      else for (const socket of tab.sockets) socket.terminate();
    },
    heal() {
      Object.assign(tab, { saveFaults: [], readsFail: false, losesSent: false, dieAfter: null, latencyMs: 0 });
      tab.reachesLive = true;
      setOnline(true);
      dispatch("online");
    },
    leave() {
      run(() => void session.autosave.flushOnLeave());
      dispatch("pagehide");
      kill();
    },
    route: () => run(stop),
  };
}

/** Opens a page in a tab; `rendered`: the flow as the server sent it. */
export const openVisit = (tab: Tab, rendered: RenderedFlow): Visit => tabs.run(tab, () => openPage(tab, rendered));
