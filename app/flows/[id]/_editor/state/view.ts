import { createStore, type StoreApi } from "zustand/vanilla";
import type { CanvasView } from "@/app/_canvas/state/canvas-session";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NoteKey } from "@/lib/core/flow/note";
import type { RunState } from "@/lib/core/trace/model/run-state";
import type { DropTarget } from "./edits/drop-target";
import type { InsertTarget } from "./edits/insert-target";

export type NarrowPane = "canvas" | "outline" | "text" | "inspector";

/** What the editor shows of itself: never saved, never part of undo. */
export interface EditorViewState extends CanvasView {
  textOpen: boolean;
  inspectorOpen: boolean;
  outlineOpen: boolean;
  /** On a narrow screen: the inspector over the canvas. */
  inspectorSheet: boolean;
  /** The run that is shown under the canvas and on its cards. */
  run: string | null;
  /** The one pane on a narrow screen. */
  narrowPane: NarrowPane;
  /** Where the link begins that is being made by keyboard. */
  connecting: NodeKey | null;
  /** The note that is being written on the canvas. */
  writing: NoteKey | null;
  /** Where the card that is being dragged would move to. */
  drop: (DropTarget & { name: string }) | null;
  /** The node whose links are walked by keyboard. */
  linksOf: NodeKey | null;
  /** The element that Escape goes back to from the inspector. */
  leaveInspectorTo: string;
  /** The problem at hand, by its id. */
  problem: string | null;
  /** Saving before a run. */
  preparing: boolean;
  /** The last run that ended while it was shown: conditions are tried on it. */
  lastRun: RunState | null;
  /** What the last run of this editor was asked. */
  lastInput: string | null;
  dialog: "run" | "blocked" | "conflict" | "emptying" | null;
  /** What lies over the editor to find or insert something. */
  surface: Surface | null;
}

export type Surface =
  | { type: "palette" | "keys" | "export" | "search" }
  | { type: "import"; text: string }
  /** What can be put in at a place. */
  | { type: "insert" | "templates"; target: InsertTarget };

export const createViewState = (shownRun: string | null): StoreApi<EditorViewState> =>
  createStore<EditorViewState>(() => ({
    textOpen: true,
    inspectorOpen: true,
    outlineOpen: false,
    inspectorSheet: false,
    run: shownRun,
    narrowPane: "canvas",
    connecting: null,
    active: null,
    writing: null,
    drop: null,
    linksOf: null,
    leaveInspectorTo: "flow-canvas",
    problem: null,
    preparing: false,
    lastRun: null,
    lastInput: null,
    dialog: null,
    surface: null,
  }));
