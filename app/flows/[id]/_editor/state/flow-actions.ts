import type { StoreApi } from "zustand/vanilla";
import { boundsOfAll, boxOf, findFreePosition } from "@/app/_canvas/scene/notes";
import type { Camera } from "@/app/_canvas/state/camera";
import type { CanvasStore } from "@/app/_canvas/state/canvas-store";
import { type Edit, findFoldsAround } from "@/lib/core/flow/edit";
import type { Control, Flow } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { fitNote, type Note, noteKey, noteSize } from "@/lib/core/flow/note";
import { isFoldable } from "@/lib/core/layout/folded-agents";
import { contains } from "@/lib/core/layout/scene/canvas-box";
import { findNodeByName, indexNodes, type NodeIndex } from "@/lib/core/layout/scene/node-index";
import { pasteNotes } from "./clipboard/paste-notes";
import type { Editor } from "./editor/editor";
import { type InsertTarget, toInsertEdit } from "./edits/insert-target";
import * as nodeEdits from "./edits/node-edits";
import { removeNotes } from "./edits/position-edits";
import { unknownNames } from "./root-flow-text";
import type { EditorViewState } from "./view";

interface FlowActionOptions {
  view: StoreApi<EditorViewState>;
  canvas: Pick<CanvasStore, "visibleArea" | "getState">;
  camera: Pick<Camera, "fit" | "reveal" | "find">;
  /** The model of the first agent, as it is chosen now. */
  defaultModel(): string;
  nextNoteId(): string;
  notify(message: string): void;
}

export function createFlowActions(editor: Editor, options: FlowActionOptions) {
  const runner = createEditRunner(editor, options);
  return {
    edit: runner.edit,
    show: runner.show,
    usualModel: runner.usualModel,
    ...agentActions(runner),
    ...fragmentActions(runner, options),
    ...linkActions(runner),
    ...foldActions(runner, options),
  };
}

type EditRunner = ReturnType<typeof createEditRunner>;

function createEditRunner(editor: Editor, { view, camera, defaultModel, notify }: FlowActionOptions) {
  const now = () => {
    const state = editor.store.getState();
    return { ...state, nodes: indexNodes(state.arrangement) };
  };
  /** Returns false, after a notification, when an edit is impossible. */
  const edit = (...edits: Edit[]): boolean => {
    const problem = editor.dispatch(edits);
    const active = editor.store.getState().selection.at(-1);
    if (problem) notify(problem.message);
    else if (active !== undefined) camera.reveal(active);
    return !problem;
  };
  const perform = (plan: nodeEdits.EditPlan): boolean => {
    if (plan.ok) return edit(...plan.edits);
    notify(plan.message);
    return false;
  };
  /** Selects a node or note and brings it into view. */
  const show = (key: NodeKey): void => {
    editor.select([key]);
    camera.find(key);
  };
  return {
    now,
    edit,
    perform,
    show,
    select: editor.select,
    usualModel: (): string => nodeEdits.commonModel(now().flow, defaultModel()),
    /** Shows the new node in the inspector. */
    add(plan: nodeEdits.EditPlan, name: string): void {
      const node = perform(plan) ? findNodeByName(now().arrangement, name) : undefined;
      if (!node) return;
      show(node.key);
      view.setState({ inspectorOpen: true });
    },
  };
}

function agentActions({ now, edit, add, usualModel }: EditRunner) {
  const wrapInControl = (type: nodeEdits.WrappingControl): void => {
    const { flow, nodes, selection } = now();
    const { plan, name } = nodeEdits.wrapInControl(flow, nodes, selection, { type, model: usualModel() });
    add(plan, name);
  };
  const addNew = (toPlan: (agent: nodeEdits.NewAgent, flow: Flow, nodes: NodeIndex) => nodeEdits.EditPlan): void => {
    const { flow, nodes } = now();
    const agent = { name: nodeEdits.freeName(flow, "agent"), model: usualModel() };
    add(toPlan(agent, flow, nodes), agent.name);
  };
  const declare = (...names: string[]): void =>
    void edit(
      ...names.map((name): Edit => ({ type: "add-agent", name, model: usualModel(), scope: { type: "root" } })),
    );
  const addAfter = (key: NodeKey): void => addNew((agent, flow, nodes) => nodeEdits.addAfter(flow, nodes, key, agent));
  return {
    addAfter,
    /** After the selected member, else at the end of the flow. */
    addAgent(): void {
      const { selection, nodes } = now();
      const [key] = selection;
      if (selection.length === 1 && key !== undefined && nodes.get(key)?.placed) addAfter(key);
      else addNew(nodeEdits.addAtEnd);
    },
    wrapInControl,
    /** Around several selected members, after a single one, else at the end of the flow. */
    addControl(type: Control["type"]): void {
      const { selection, flow, nodes } = now();
      const wrapping = nodeEdits.wrappingControls.find((candidate) => candidate === type);
      if (wrapping && selection.length > 1) {
        wrapInControl(wrapping);
        return;
      }
      const control = nodeEdits.createControl(flow, type, usualModel());
      add(nodeEdits.addControl(flow, nodes, control, selection.length === 1 ? selection[0] : undefined), control.name);
    },
    /** For a link that was dropped on the empty canvas. */
    addLinked: (key: NodeKey, side: "after" | "before"): void =>
      addNew((agent, flow, nodes) => nodeEdits.addLinked(flow, nodes, key, side, agent)),
    addBefore: (key: NodeKey): void => addNew((agent, flow, nodes) => nodeEdits.addBefore(flow, nodes, key, agent)),
    addLane: (key: NodeKey, side: "before" | "after" = "after"): void =>
      addNew((agent, flow, nodes) => nodeEdits.addLane(flow, nodes, key, agent, side)),
    declare,
    declareUnknown: (): void => declare(...unknownNames(now().arrangement)),
  };
}

function fragmentActions({ now, edit, show, select }: EditRunner, { view, canvas, nextNoteId }: FlowActionOptions) {
  return {
    addNote(position?: { x: number; y: number }): void {
      const state = now();
      const id = nextNoteId();
      const { x, y } = position ?? findFreePosition(state, canvas.visibleArea());
      const note = fitNote({ ...noteSize, x, y, text: "", color: "yellow" });
      if (!edit({ type: "add-note", id, note })) return;
      show(noteKey(id));
      if (!canvas.getState().overview) view.setState({ writing: noteKey(id), narrowPane: "canvas" });
    },
    /** `fragment` is a flow file or empty. Returns whether it was inserted. */
    insert(fragment: string, target: InsertTarget = { type: "selection" }, notes: readonly Note[] = []): boolean {
      const copies = pasteNotes(now().layout.notes, notes, nextNoteId);
      const insertions = fragment === "" ? [] : [toInsertEdit(now(), fragment, target)];
      if (!edit(...insertions, ...copies.edits)) return false;
      if (notes.length > 0) select([...(fragment === "" ? [] : now().selection), ...copies.keys]);
      return true;
    },
  };
}

function foldActions({ now, edit, select }: EditRunner, { canvas, camera }: FlowActionOptions) {
  const isWholeInView = (): boolean => {
    const [area, bounds] = [canvas.visibleArea(), boundsOfAll(now())];
    return area !== null && bounds !== null && contains(area, bounds);
  };
  /** What was selected in a node that is folded now gives its place to that node. */
  const fold = (keys: readonly NodeKey[], isFolded: boolean): void => {
    const { selection } = now();
    const wasWhole = isWholeInView();
    if (keys.length === 0 || !edit({ type: "set-folded", keys, folded: isFolded })) return;
    const shown = selection.map((key) => findFoldsAround(now().layout, key)[0] ?? key);
    select([...new Set(shown)].filter((key) => boxOf(now(), key) !== undefined));
    if (wasWhole) camera.fit();
  };
  const listFoldable = (): NodeKey[] => {
    const { arrangement, flow } = now();
    return arrangement.nodes.filter(({ frame, name }) => frame && isFoldable(flow, name)).map(({ key }) => key);
  };
  return {
    fold,
    listFoldable,
    foldAll: (): void => fold(listFoldable(), true),
    unfoldAll: (): void => fold(now().layout.folded ?? [], false),
  };
}

function linkActions({ now, edit, perform, select }: EditRunner) {
  const findLink = (key: string | null) => now().arrangement.edges.find((link) => link.key === key);
  return {
    connect(source: NodeKey, target: NodeKey): void {
      if (perform(nodeEdits.connect(now().flow, now().nodes, source, target))) select([target]);
    },
    disconnect(linkKey: string): void {
      const link = findLink(linkKey);
      if (link) perform(nodeEdits.disconnect(now().flow, link));
    },
    deleteSelection(): void {
      const { edge, selection, flow, nodes, layout } = now();
      const notes = removeNotes(layout.notes, selection);
      const link = findLink(edge);
      if (link) perform(nodeEdits.disconnect(flow, link));
      else if (notes.length > 0 && notes.length === selection.length) edit(...notes);
      else if (selection.length > 0) perform(nodeEdits.withEdits(nodeEdits.deleteNodes(flow, nodes, selection), notes));
    },
    wrap(type: nodeEdits.Wrap): void {
      const { flow, nodes, selection } = now();
      perform(nodeEdits.wrap(flow, nodes, selection, type));
    },
  };
}
