import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import type { CameraPort } from "./camera";
import type { CanvasStore } from "./canvas-store";
import type { FlowState, toCanvasActions } from "./flow-state";

/** How a canvas is looked at: never saved, never part of undo. */
export interface CanvasView {
  /** The node that keys act on while it is not the one selected last; valid as long as `selection` is the current one. */
  active: { key: NodeKey; selection: readonly NodeKey[] } | null;
  drop: { frame: NodeKey } | null;
}

/** Numbers of open threads: of the flow, and of its nodes by name. */
export interface OpenComments {
  count: number;
  nodes: ReadonlyMap<string, number>;
}

export interface CanvasComments {
  store: StoreApi<OpenComments>;
  show(key: NodeKey): void;
}

export interface CanvasSession {
  editor: { store: StoreApi<FlowState> } & ReturnType<typeof toCanvasActions>;
  camera: CameraPort;
  canvas: CanvasStore;
  view: StoreApi<CanvasView>;
  statuses: StoreApi<NodeStatuses>;
  /** Missing: the canvas shows none. */
  comments?: CanvasComments;
  /** Draws groups, swarms or loops as one card each, or with their content again; missing: the canvas cannot. */
  fold?(keys: readonly NodeKey[], isFolded: boolean): void;
}

export const CanvasContext = createContext<CanvasSession | null>(null);

/** Throws outside of a canvas. */
export function useCanvasSession(): CanvasSession {
  const session = useContext(CanvasContext);
  if (!session) throw new Error("useCanvasSession needs a CanvasContext above it");
  return session;
}

export const useFlowState = <T>(select: (state: FlowState) => T): T =>
  useStore(useCanvasSession().editor.store, select);
export const useCanvasView = <T>(select: (view: CanvasView) => T): T => useStore(useCanvasSession().view, select);
