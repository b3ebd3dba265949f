import { createStore } from "zustand/vanilla";
import { keyNames } from "@/lib/core/flow/node-key";
import type { Problem } from "@/lib/core/flow/problem";
import type { EditorState } from "../../state/editor/editor";
import type { Session } from "../../state/session";
import {
  emptyHint,
  findLineOwner,
  findLineProblems,
  flowLine,
  hasFlowText,
  hasLine,
  type LineOwner,
  type WrittenLine,
  writeFlowLine,
} from "./line-scope";

export interface FlowBarContent {
  isShown: boolean;
  owner: string | null;
  /** The line as the flow has it. */
  text: string;
  /** `text`, or the unapplied line that the user is typing. */
  line: string;
  hint: string;
  problems: readonly Problem[];
  /** Why the line could not be applied. */
  refused: readonly string[];
  /** Names in the line that are selected or contain the selection. */
  marked: readonly string[];
}

/** The line becomes one edit on `apply`; until then it is not part of the flow. */
export interface FlowBar {
  /** Returns the same object as long as nothing changes. */
  read(): FlowBarContent;
  subscribe(listener: () => void): () => void;
  type(line: string): void;
  addNewAgent(name: string): void;
  apply(): void;
  /** Returns whether there was an unapplied line. */
  discard(): boolean;
  selectNode(name: string): void;
  /** While locked, the bar shows the same part of the flow whatever is selected. */
  lock(): void;
  unlock(): void;
}

interface LineDraft extends WrittenLine, LineOwner {
  /** The line of the flow that the draft started from: when that changes, the draft is dropped. */
  of: string;
  refused: readonly string[];
}

interface FlowBarState {
  held: LineOwner | null;
  draft: LineDraft | null;
}

export function createFlowBar({ editor, actions }: Pick<Session, "editor" | "actions">): FlowBar {
  const store = createStore<FlowBarState>(() => ({ held: null, draft: null }));
  const readLook = createReader();
  const read = () => readLook(editor.store.getState(), store.getState());
  const write = (line: string, newAgents: readonly string[]): void => {
    const { lineOwner, text } = read();
    const draft = line === text ? null : { ...lineOwner, of: text, line, newAgents, refused: [] };
    // Typing locks the bar, even while the line equals the one of the flow.
    store.setState(({ held }) => ({ draft, held: held ?? lineOwner }));
  };

  return {
    read: () => read().look,
    subscribe(listener) {
      let last = read().look;
      const look = (): void => {
        const { look: next } = read();
        if (next === last) return;
        last = next;
        listener();
      };
      const stops = [editor.store.subscribe(look), store.subscribe(look)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    type: (line) => write(line, read().draft?.newAgents ?? []),
    addNewAgent: (name) => write(read().look.line, [...(read().draft?.newAgents ?? []), name]),
    apply() {
      const { draft } = read();
      if (!draft) return;
      const written = writeFlowLine(editor.store.getState().flow, draft, actions.usualModel());
      const problem = written.ok ? editor.dispatch(written.edits) : null;
      const refused = written.ok ? (problem ? [problem.message] : []) : written.messages;
      store.setState({ draft: refused.length > 0 ? { ...draft, refused } : null });
      if (refused.length === 0 && draft.owner === null) editor.select([]);
    },
    discard() {
      if (!read().draft) return false;
      store.setState({ draft: null });
      return true;
    },
    selectNode(name) {
      const { key } = read().lineOwner;
      const { arrangement, selection } = editor.store.getState();
      const named = arrangement.nodes.filter((node) => node.name === name);
      const node = named.find(({ parent = "" }) => parent === key) ?? named[0];
      if (node && !(selection.length === 1 && selection[0] === node.key)) editor.select([node.key]);
    },
    lock() {
      if (!store.getState().held) store.setState({ held: read().lineOwner });
    },
    unlock: () => store.setState({ held: null }),
  };
}

interface FlowBarReading {
  lineOwner: LineOwner;
  draft: LineDraft | null;
  text: string;
  look: FlowBarContent;
}

/** Memoized in steps: a line may contain thousands of names. */
function createReader(): (state: EditorState, bar: FlowBarState) => FlowBarReading {
  const findText = memoizeLast((flow: EditorState["flow"], document: EditorState["document"], owner: string | null) =>
    flowLine({ flow, document }, owner),
  );
  const findProblems = memoizeLast(
    (flow: EditorState["flow"], owner: string | null, line: string, newAgents: readonly string[]) =>
      findLineProblems(flow, { owner, line, newAgents }),
  );
  const findHint = memoizeLast(emptyHint);
  const findMarked = memoizeLast((selection: EditorState["selection"], key: string) => listMarkedNames(selection, key));
  const toReading = memoizeLast(
    (
      flow: EditorState["flow"],
      document: EditorState["document"],
      selection: EditorState["selection"],
      bar: FlowBarState,
    ) => {
      const lineOwner = findCurrentOwner({ flow, selection }, bar);
      const text = findText(flow, document, lineOwner.owner);
      const draft = bar.draft?.of === text && bar.draft.owner === lineOwner.owner ? bar.draft : null;
      const line = draft?.line ?? text;
      const look: FlowBarContent = {
        isShown: hasLine(flow, lineOwner.owner),
        owner: lineOwner.owner,
        text,
        line,
        hint: findHint(flow, lineOwner.owner),
        // Otherwise the problems pane shows them.
        problems: bar.held || draft ? findProblems(flow, lineOwner.owner, line, draft?.newAgents ?? none) : none,
        refused: draft?.refused ?? none,
        marked: findMarked(selection, lineOwner.key),
      };
      return { lineOwner, draft, text, look };
    },
  );
  return ({ flow, document, selection }, bar) => toReading(flow, document, selection, bar);
}

const none: readonly never[] = [];

function findCurrentOwner(state: Pick<EditorState, "flow" | "selection">, { held, draft }: FlowBarState): LineOwner {
  const lineOwner = held ?? draft;
  return lineOwner && (lineOwner.owner === null || hasFlowText(state.flow, lineOwner.owner))
    ? lineOwner
    : findLineOwner(state);
}

function listMarkedNames(selection: readonly string[], ownerKey: string): string[] {
  const depth = keyNames(ownerKey).length;
  const inside = selection.filter((key) => ownerKey === "" || key.startsWith(`${ownerKey}/`));
  return inside.flatMap((key) => keyNames(key).slice(depth, depth + 1));
}

function memoizeLast<Args extends readonly unknown[], T>(compute: (...args: Args) => T): (...args: Args) => T {
  let last: { args: Args; value: T } | null = null;
  return (...args) => {
    if (!last || args.some((arg, index) => arg !== last?.args[index])) last = { args, value: compute(...args) };
    return last.value;
  };
}
