import type { StoreApi } from "zustand/vanilla";
import { indexNodes } from "@/app/_canvas/scene/node-index";
import { findFreePosition } from "@/app/_canvas/scene/notes";
import type { CanvasStore } from "@/app/_canvas/state/canvas-store";
import type { Edit } from "@/lib/core/flow/edit";
import type { Control } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { fitNote, freeNoteId, type Note, noteKey, noteSize } from "@/lib/core/flow/note";
import { pasteNotes } from "./clipboard/clipboard-notes";
import type { Editor } from "./editor/editor";
import { type InsertTarget, toInsertEdit } from "./edits/insert-target";
import { createControl } from "./edits/new-control";
import * as gestures from "./edits/node-edits";
import { removeNotes } from "./edits/position-edits";
import { unknownNames } from "./root-flow-text";
import type { EditorViewState } from "./view";

export interface FlowActions {
  /** After the selected member, as the whole of an empty flow, else outside the flow. */
  addAgent(): void;
  addAfter(key: NodeKey): void;
  /** For a link that was dropped on the empty canvas. */
  addLinked(key: NodeKey, side: "after" | "before"): void;
  /** After the selected member, else outside the flow. */
  addControl(type: Control["type"]): void;
  declare(name: string): void;
  declareUnknown(): void;
  usualModel(): string;
  addLane(key: NodeKey): void;
  addNote(at?: { x: number; y: number }): void;
  /** `fragment` is a flow file or empty. Returns whether it was inserted. */
  insert(fragment: string, target?: InsertTarget, notes?: readonly Note[]): boolean;
  connect(from: NodeKey, to: NodeKey): void;
  disconnect(edge: string): void;
  deleteSelection(): void;
  wrap(type: gestures.Wrap): void;
  /** Returns false, after a notification, when an edit is impossible. */
  edit(...edits: Edit[]): boolean;
}

interface FlowActionOptions {
  view: StoreApi<EditorViewState>;
  canvas: Pick<CanvasStore, "visibleArea" | "getState">;
  defaultModel: string;
  notify(message: string): void;
}

export function createFlowActions(
  editor: Editor,
  { view, canvas, defaultModel, notify }: FlowActionOptions,
): FlowActions {
  const now = () => {
    const state = editor.store.getState();
    return { ...state, nodes: indexNodes(state.arrangement) };
  };
  const edit = (...edits: Edit[]): boolean => {
    const problem = editor.dispatch(edits);
    const active = editor.store.getState().selection.at(-1);
    if (problem) notify(problem.message);
    else if (active !== undefined) editor.reveal(active);
    return !problem;
  };
  const perform = (gesture: gestures.EditPlan): boolean => {
    if (gesture.ok) return edit(...gesture.edits);
    notify(gesture.message);
    return false;
  };
  const usualModel = (): string => gestures.commonModel(now().flow, defaultModel);
  const newAgent = () => ({ name: gestures.freeName(now().flow, "agent"), model: usualModel() });
  const declare = (name: string): Edit => ({ type: "add-agent", name, model: usualModel(), scope: { type: "root" } });
  const add = (gesture: gestures.EditPlan, name: string): void => {
    if (!perform(gesture)) return;
    const added = now().arrangement.nodes.find((node) => node.name === name);
    if (!added) return;
    editor.select([added.key]);
    editor.reveal(added.key);
    view.setState({ inspectorOpen: true });
  };
  const addAfter = (key: NodeKey): void => {
    const agent = newAgent();
    add(gestures.addAfter(now().flow, now().nodes, key, agent), agent.name);
  };

  return {
    edit,
    addAfter,
    addAgent() {
      const { selection, nodes } = now();
      const [only] = selection;
      if (selection.length === 1 && only !== undefined && nodes.get(only)?.placed) {
        addAfter(only);
        return;
      }
      const agent = newAgent();
      add(gestures.addBeside(agent), agent.name);
    },
    addControl(type) {
      const { selection, flow, nodes } = now();
      const control = createControl(flow, type, usualModel());
      add(gestures.addControl(flow, nodes, control, selection.length === 1 ? selection[0] : undefined), control.name);
    },
    usualModel,
    declare: (name) => void edit(declare(name)),
    declareUnknown: () => void edit(...unknownNames(now().arrangement).map(declare)),
    addLinked(key, side) {
      const agent = newAgent();
      const { flow, nodes } = now();
      add(gestures.addLinked(flow, nodes, key, side, agent), agent.name);
    },
    addLane(key) {
      const agent = newAgent();
      const { flow, nodes } = now();
      add(gestures.addLane(flow, nodes, key, agent), agent.name);
    },
    addNote(at) {
      const state = editor.store.getState();
      const id = freeNoteId(state.layout.notes);
      const note = {
        ...noteSize,
        ...(at ?? findFreePosition(state, canvas.visibleArea())),
        text: "",
        color: "yellow",
      } as const;
      if (!edit({ type: "add-note", id, note: fitNote(note) })) return;
      const key = noteKey(id);
      editor.select([key]);
      editor.reveal(key);
      if (!canvas.getState().overview) view.setState({ writing: key, narrowPane: "canvas" });
    },
    insert(fragment, target = { type: "selection" }, notes = []) {
      const copies = pasteNotes(now().layout.notes, notes);
      const part = fragment === "" ? [] : [toInsertEdit(now(), fragment, target)];
      if (!edit(...part, ...copies.edits)) return false;
      if (notes.length > 0) editor.select([...(fragment === "" ? [] : now().selection), ...copies.keys]);
      return true;
    },
    connect(from, to) {
      const { flow, nodes } = now();
      if (perform(gestures.connect(flow, nodes, from, to))) editor.select([to]);
    },
    disconnect(key) {
      const link = now().arrangement.edges.find((edge) => edge.key === key);
      if (link) perform(gestures.disconnect(now().flow, link));
    },
    deleteSelection() {
      const { edge, selection, flow, nodes, arrangement, layout } = now();
      const notes = removeNotes(layout.notes, selection);
      const link = arrangement.edges.find((candidate) => candidate.key === edge);
      if (link) perform(gestures.disconnect(flow, link));
      else if (notes.length > 0 && notes.length === selection.length) edit(...notes);
      else if (selection.length > 0) perform(gestures.withEdits(gestures.deleteNodes(flow, nodes, selection), notes));
    },
    wrap(type) {
      const { flow, nodes, selection } = now();
      perform(gestures.wrap(flow, nodes, selection, type));
    },
  };
}
