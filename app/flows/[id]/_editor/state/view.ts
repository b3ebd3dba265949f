import { createStore, type StoreApi } from "zustand/vanilla";
import type { CanvasView } from "@/app/_canvas/state/canvas-session";
import type { ProviderOffer } from "@/lib/core/check/offer";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NoteKey } from "@/lib/core/flow/note";
import type { RunState } from "@/lib/core/trace/model/run-state";
import type { DropPreview } from "./edits/drop-plan";
import type { InsertTarget } from "./edits/insert-target";
import type { RunFigures } from "./shown-run";
import { isTextPaneOpened } from "./text-pane-choice";

export type NarrowPane = "canvas" | "outline" | "text" | "inspector";

export type FlowTab = "flow" | "limits" | "problems" | "comments";

export type NodeTab = "settings" | "last-run" | "text" | "comments";

export interface EditorViewState extends CanvasView {
  textOpen: boolean;
  inspectorOpen: boolean;
  outlineOpen: boolean;
  /** On a narrow screen: the inspector over the canvas. */
  inspectorSheet: boolean;
  /** The run that is shown on the canvas. */
  run: string | null;
  runPanel: "closed" | "open" | "full";
  /** Of the shown run, else of the last one. */
  figures: RunFigures | null;
  runInput: string;
  /** A run was requested without an input: the next request starts it. */
  isInputMissing: boolean;
  narrowPane: NarrowPane;
  /** Of the inspector while nothing is selected. */
  flowTab: FlowTab;
  /** Of the inspector while one node is selected. */
  nodeTab: NodeTab;
  /** The first comment of the thread that the page was opened for. */
  comment: string | null;
  /** The start of the link that is being created by keyboard. */
  connecting: NodeKey | null;
  writing: NoteKey | null;
  /** `pointer`: in pixels of the window. */
  drop: (DropPreview & { pointer: { x: number; y: number }; isMove: boolean }) | null;
  /** What is being dragged from the strip: see `InsertEntry`. */
  draggedEntry: string | null;
  /** The node whose links are being stepped through. */
  linksOf: NodeKey | null;
  /** The element that Escape goes back to from the inspector. */
  leaveInspectorTo: string;
  problem: string | null;
  preparing: boolean;
  /** Runs are started with the user's own keys, where there are any. */
  ownKeys: boolean;
  /** As they are now: a key may be entered meanwhile. */
  providers: readonly ProviderOffer[];
  lastRun: LatestRun | null;
  dialog: "blocked" | "conflict" | "emptying" | "twins" | "lost" | "no-access" | null;
  surface: Surface | null;
  /** `waiting`: a user did something before the flow could be changed. */
  editing: "loading" | "waiting" | "ready";
}

/** The run on which conditions and prompts are tried: the latest of the flow when the page was opened, or that ended since. */
export interface LatestRun {
  id: string;
  /** Null: not loaded yet. */
  state: RunState | null;
}

type Surface =
  | { type: "palette" | "keys" | "export" | "search" | "publish" | "members" | "share" }
  /** `version`: the one that is shown; missing: the one before the newest. */
  | { type: "versions"; version?: string }
  | { type: "import"; text: string }
  /** What a flow from elsewhere reaches, before its first run. */
  | { type: "reach"; reach: readonly string[]; simulate: boolean }
  /** The key of a provider; `runsThen`: the flow runs once it is entered. */
  | { type: "connect"; provider: string; runsThen: boolean }
  /** For what is selected: nodes, a link, or nothing; `at`: in pixels of the window. */
  | { type: "context"; at: { x: number; y: number } }
  /** What can be put in at a place. */
  | { type: "insert" | "templates"; target: InsertTarget };

interface InitialView {
  providers?: readonly ProviderOffer[] | undefined;
  shownRun: string | null;
  lastRun: string | null;
  lastInput: string;
  figures?: RunFigures | undefined;
  comment?: string | null;
  version?: string | null;
  open?: string | null;
}

/** What other pages can open in the editor, by `?open=`. */
const openableDialogs = ["share", "export", "versions"] as const;

function toFirstSurface({ version = null, open = null }: InitialView): Surface | null {
  if (version !== null) return { type: "versions", version };
  const type = openableDialogs.find((dialog) => dialog === open);
  return type ? { type } : null;
}

export const createViewState = (initial: InitialView): StoreApi<EditorViewState> => {
  const { shownRun, lastRun, lastInput, figures, providers = [], comment = null } = initial;
  return createStore<EditorViewState>(() => ({
    textOpen: isTextPaneOpened(),
    inspectorOpen: true,
    outlineOpen: false,
    inspectorSheet: false,
    run: shownRun,
    runPanel: shownRun === null ? "closed" : "open",
    figures: figures ?? null,
    runInput: lastInput,
    isInputMissing: false,
    narrowPane: comment === null ? "canvas" : "inspector",
    flowTab: comment === null ? "flow" : "comments",
    nodeTab: "settings",
    comment,
    connecting: null,
    active: null,
    writing: null,
    drop: null,
    draggedEntry: null,
    linksOf: null,
    leaveInspectorTo: "flow-canvas",
    problem: null,
    preparing: false,
    ownKeys: false,
    providers,
    lastRun: lastRun === null ? null : { id: lastRun, state: null },
    dialog: null,
    surface: toFirstSurface(initial),
    editing: "loading",
  }));
};
