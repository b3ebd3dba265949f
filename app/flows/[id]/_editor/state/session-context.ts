import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { OpenComments } from "@/app/_canvas/state/canvas-session";
import type { EditorState } from "./editor/editor";
import type { LiveState } from "./live/live";
import type { SaveState } from "./save/autosave";
import type { Session } from "./session";
import type { ShownRun } from "./shown-run";
import type { EditorViewState } from "./view";

export const SessionContext = createContext<Session | null>(null);

/** Throws outside of an editor. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession needs a SessionContext above it");
  return session;
}

export const useEditorState = <T>(select: (state: EditorState) => T): T => useStore(useSession().editor.store, select);
export const useView = <T>(select: (view: EditorViewState) => T): T => useStore(useSession().view, select);
export const useShownRun = <T>(select: (run: ShownRun | null) => T): T => useStore(useSession().shownRun, select);
export const useOpenComments = <T>(select: (open: OpenComments) => T): T =>
  useStore(useSession().comments.store, select);
export const useOpenDrafts = (): boolean => useStore(useSession().drafts.store, ({ count }) => count > 0);
export const useSaveState = <T>(select: (state: SaveState) => T): T => useStore(useSession().autosave.store, select);
/** Whether this browser has no copy of unsaved changes, because it could not store one. */
export const useIsBackupFailing = (): boolean => useStore(useSession().backup, ({ isFailing }) => isFailing);
export const useLive = <T>(select: (state: LiveState) => T): T => useStore(useSession().live.store, select);
/** Whether what changes flows is loaded, and the user may change this one. */
export function useIsEditable(): boolean {
  const { mayEdit } = useSession().access;
  return useView(({ editing }) => editing === "ready") && mayEdit;
}
