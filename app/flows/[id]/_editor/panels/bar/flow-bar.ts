import { createStore } from "zustand/vanilla";
import { keyNames } from "@/lib/core/flow/node-key";
import type { Problem } from "@/lib/core/flow/problem";
import { diffTokens } from "@/lib/core/flow/rebase/diff-tokens";
import { rebaseChanges } from "@/lib/core/flow/rebase/rebase-changes";
import { applyChanges } from "@/lib/core/flow/text-change";
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

interface LineDraft extends WrittenLine, LineOwner {
  /** The line of the flow that the draft started from: what others change in it since is merged. */
  of: string;
  refused: readonly string[];
}

interface FlowBarState {
  /** The bar shows the line of this owner whatever is selected. */
  lockedOwner: LineOwner | null;
  draft: LineDraft | null;
}

export type FlowBar = ReturnType<typeof createFlowBar>;

/** The line becomes one edit on `apply`; until then it is not part of the flow. */
export function createFlowBar({ editor, actions }: Pick<Session, "editor" | "actions">) {
  const store = createStore<FlowBarState>(() => ({ lockedOwner: null, draft: null }));
  const readLook = createReader();
  const read = () => readLook(editor.store.getState(), store.getState());
  const write = (line: string, newAgents: readonly string[]): void => {
    const { lineOwner, text } = read();
    const draft = line === text ? null : { ...lineOwner, of: text, line, newAgents, refused: [] };
    // Typing locks the bar, even while the line equals the one of the flow.
    store.setState(({ lockedOwner }) => ({ draft, lockedOwner: lockedOwner ?? lineOwner }));
  };

  const apply = (): void => {
    const { draft } = read();
    if (!draft) return;
    const refused = applyLine(editor, draft, actions.usualModel());
    store.setState({ draft: refused.length > 0 ? { ...draft, refused } : null });
    if (refused.length === 0 && draft.owner === null) editor.select([]);
  };

  return {
    /** Returns the same object as long as nothing changes. */
    read: () => read().look,
    subscribe(listener: () => void): () => void {
      let last = read().look;
      const compare = (): void => {
        const { look } = read();
        if (look === last) return;
        last = look;
        listener();
      };
      const stops = [editor.store.subscribe(compare), store.subscribe(compare)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    type: (line: string) => write(line, read().draft?.newAgents ?? []),
    addNewAgent: (name: string) => write(read().look.line, [...(read().draft?.newAgents ?? []), name]),
    apply,
    /** Returns whether there was an unapplied line. */
    discard(): boolean {
      if (!read().draft) return false;
      store.setState({ draft: null });
      return true;
    },
    selectNode(name: string): void {
      const { key } = read().lineOwner;
      const { arrangement, selection } = editor.store.getState();
      const named = arrangement.nodes.filter((node) => node.name === name);
      const node = named.find(({ parent = "" }) => parent === key) ?? named[0];
      if (node && !(selection.length === 1 && selection[0] === node.key)) editor.select([node.key]);
    },
    lock: () => store.setState(({ lockedOwner }) => ({ lockedOwner: lockedOwner ?? read().lineOwner })),
    unlock: () => store.setState({ lockedOwner: null }),
    leave() {
      apply();
      store.setState({ lockedOwner: null });
    },
  };
}

/** Returns why the line could not be applied. */
function applyLine({ store, dispatch }: Session["editor"], draft: LineDraft, model: string): readonly string[] {
  const written = writeFlowLine(store.getState().flow, draft, model);
  if (!written.ok) return written.messages;
  const problem = dispatch(written.edits);
  return problem ? [problem.message] : [];
}

/** Memoized in steps: a line may contain thousands of names. */
function createReader() {
  const findText = memoizeLast((flow: EditorState["flow"], document: EditorState["document"], owner: string | null) =>
    flowLine({ flow, document }, owner),
  );
  const findProblems = memoizeLast(
    (flow: EditorState["flow"], owner: string | null, line: string, newAgents: readonly string[]) =>
      findLineProblems(flow, { owner, line, newAgents }),
  );
  const findHint = memoizeLast(emptyHint);
  const findMarked = memoizeLast(listMarkedNames);
  const findDraft = memoizeLast(followLine);
  const toReading = memoizeLast(
    (
      flow: EditorState["flow"],
      document: EditorState["document"],
      selection: EditorState["selection"],
      bar: FlowBarState,
    ) => {
      const lineOwner = findCurrentOwner({ flow, selection }, bar);
      const text = findText(flow, document, lineOwner.owner);
      const draft = findDraft(bar.draft, lineOwner.owner, text);
      const line = draft?.line ?? text;
      const look: FlowBarContent = {
        isShown: hasLine(flow, lineOwner.owner),
        owner: lineOwner.owner,
        text,
        line,
        hint: findHint(flow, lineOwner.owner),
        // Otherwise the problems pane shows them.
        problems: bar.lockedOwner || draft ? findProblems(flow, lineOwner.owner, line, draft?.newAgents ?? none) : none,
        refused: draft?.refused ?? none,
        marked: findMarked(selection, lineOwner.key),
      };
      return { lineOwner, draft, text, look };
    },
  );
  return ({ flow, document, selection }: EditorState, bar: FlowBarState) => toReading(flow, document, selection, bar);
}

const none: readonly never[] = [];

/** The draft of the line of `owner`, which is `text` by now: what was typed stays, at its place among the names of `text`. */
function followLine(draft: LineDraft | null, owner: string | null, text: string): LineDraft | null {
  if (draft?.owner !== owner || draft.line === text) return null;
  if (draft.of === text) return draft;
  const [own, foreign] = [diffTokens(draft.of, draft.line), diffTokens(draft.of, text)];
  return { ...draft, of: text, line: applyChanges(text, rebaseChanges(own, foreign, "foreign")), refused: [] };
}

function findCurrentOwner(
  state: Pick<EditorState, "flow" | "selection">,
  { lockedOwner, draft }: FlowBarState,
): LineOwner {
  const lineOwner = lockedOwner ?? draft;
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
