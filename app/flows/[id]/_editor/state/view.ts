import { createStore, type StoreApi } from "zustand/vanilla";
import type { CanvasView } from "@/app/_canvas/state/canvas-session";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NoteKey } from "@/lib/core/flow/note";
import type { RunState } from "@/lib/core/trace/model/run-state";
import type { DropTarget } from "./edits/drop-target";
import type { InsertTarget } from "./edits/insert-target";

export type NarrowPane = "canvas" | "outline" | "text" | "inspector";

export interface EditorViewState extends CanvasView {
  textOpen: boolean;
  inspectorOpen: boolean;
  outlineOpen: boolean;
  /** On a narrow screen: the inspector over the canvas. */
  inspectorSheet: boolean;
  run: string | null;
  narrowPane: NarrowPane;
  /** The start of the link that is being created by keyboard. */
  connecting: NodeKey | null;
  writing: NoteKey | null;
  drop: (DropTarget & { name: string }) | null;
  /** The node whose links are being stepped through. */
  linksOf: NodeKey | null;
  /** The element that Escape goes back to from the inspector. */
  leaveInspectorTo: string;
  problem: string | null;
  preparing: boolean;
  lastRun: LastRun | null;
  lastInput: string | null;
  dialog: "run" | "blocked" | "conflict" | "emptying" | null;
  surface: Surface | null;
}

/** The run on which conditions and prompts are tried: the latest of the flow when the page was opened, or that ended since. */
export interface LastRun {
  id: string;
  /** Null: not loaded yet. */
  state: RunState | null;
}

type Surface =
  | { type: "palette" | "keys" | "export" | "search" }
  | { type: "import"; text: string }
  /** What can be put in at a place. */
  | { type: "insert" | "templates"; target: InsertTarget };

interface InitialRuns {
  shownRun: string | null;
  lastRun: string | null;
}

export const createViewState = ({ shownRun, lastRun }: InitialRuns): StoreApi<EditorViewState> =>
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
    lastRun: lastRun === null ? null : { id: lastRun, state: null },
    lastInput: null,
    dialog: null,
    surface: null,
  }));
