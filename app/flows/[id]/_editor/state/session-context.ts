import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { Editor, EditorState } from "./editor/editor";
import type { SaveState } from "./save/autosave";
import type { Session } from "./session";
import type { View } from "./view";

/** What a canvas needs round it, whether the flow can be changed there or only looked at. */
export type CanvasSession = Pick<Session, "canvas" | "statuses" | "view"> & {
  editor: Pick<Editor, "store" | "select" | "selectEdge" | "reveal">;
};

export const SessionContext = createContext<Session | null>(null);
export const CanvasContext = createContext<CanvasSession | null>(null);

/** The parts of the editor round this component. Throws outside of one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession needs a SessionContext above it");
  return session;
}

/** What stands round this part of a canvas, in an editor or not. Throws outside of a canvas. */
export function useCanvasSession(): CanvasSession {
  const session = useContext(CanvasContext);
  if (!session) throw new Error("useCanvasSession needs a CanvasContext above it");
  return session;
}

export const useEditorState = <T>(select: (state: EditorState) => T): T =>
  useStore(useCanvasSession().editor.store, select);
export const useView = <T>(select: (view: View) => T): T => useStore(useCanvasSession().view, select);
/** Whether a field holds text that is not committed yet. */
export const useOpenDrafts = (): boolean => useStore(useSession().drafts.store, ({ count }) => count > 0);
export const useSaveState = <T>(select: (state: SaveState) => T): T => useStore(useSession().autosave.store, select);
