import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { standardKeymap } from "@codemirror/commands";
import { type Action, type Diagnostic, forceLinting, linter } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { Decoration, EditorView, keymap, MatchDecorator, placeholder } from "@codemirror/view";
import { rebaseDraft } from "@/lib/core/flow/rebase/rebase-draft";
import type { Session } from "../../../state/session";
import { decorateView } from "../../code/decorate";
import { externalChange, isExternal } from "../../code/external-change";
import { historyKeys } from "../../code/history-keys";
import { popoverTheme } from "../../code/popover-theme";
import { findUnknownVariables, type Variable } from "./variables";

export type PromptEditor = ReturnType<typeof createPromptEditor>;

interface PromptEditorOptions {
  value: string;
  look: { label: string; hint: string; isLarge: boolean };
  listVariables(): readonly Variable[];
  onCommit(value: string): void;
  onAddVariable(name: string): void;
}

const pauseMs = 400;

/**
 * Typed text is committed after a pause and when the focus leaves; until then it counts as an open draft. Where others write
 * too, it is committed at once.
 */
export function createPromptEditor(
  parent: HTMLElement,
  { editor, drafts, access, live }: Pick<Session, "editor" | "drafts" | "access" | "live">,
  { value, look, listVariables, onCommit, onAddVariable }: PromptEditorOptions,
) {
  let committed = value;
  let pending: { timer: ReturnType<typeof setTimeout>; close(): void } | null = null;
  const flush = (): void => {
    if (!pending) return;
    clearTimeout(pending.timer);
    pending.close();
    pending = null;
    const text = view.state.doc.toString();
    if (text === committed) return;
    committed = text;
    onCommit(text);
  };
  const type = (): void => {
    clearTimeout(pending?.timer);
    pending = { timer: setTimeout(flush, pauseMs), close: pending?.close ?? drafts.open(flush) };
    if (live.isTogether()) flush();
  };
  const afterFlush = (travel: () => void) => (): void => {
    flush();
    travel();
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        EditorState.readOnly.of(!access.mayEdit),
        toOpenField(live),
        historyKeys(afterFlush(editor.undo), afterFlush(editor.redo)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isExternal(update)) type();
          if (update.focusChanged && !update.view.hasFocus) flush();
        }),
        toExtensions(listVariables, (name) => afterFlush(() => onAddVariable(name))()),
        toLook(look),
        promptTheme,
        popoverTheme,
      ],
    }),
  });
  return {
    /** Text that is not committed yet stays, among what others wrote. */
    show(next: string): void {
      const text = view.state.doc.toString();
      const changes = rebaseDraft({ base: pending ? committed : text, text }, next);
      committed = next;
      if (changes.length > 0) view.dispatch({ changes, annotations: externalChange.of(true) });
    },
    check: (): void => forceLinting(view),
    destroy(): void {
      flush();
      view.destroy();
    },
  };
}

const toExtensions = (listVariables: () => readonly Variable[], addVariable: (name: string) => void) => [
  keymap.of([...completionKeymap, ...standardKeymap]),
  autocompletion({ override: [completeVariable(listVariables)], icons: false }),
  linter((view) => toDiagnostics(view.state.doc.toString(), listVariables(), addVariable), { delay: 200 }),
  variableMarks,
  EditorView.lineWrapping,
];

const toLook = ({ label, hint, isLarge }: PromptEditorOptions["look"]) => [
  placeholder(hint),
  EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", tabindex: "0", spellcheck: "true" }),
  EditorView.theme({
    // Beside the canvas the panel scrolls, not the text in it.
    ".cm-scroller": isLarge ? { minHeight: "50dvh", maxHeight: "60dvh" } : { minHeight: "96px" },
  }),
];

const toOpenField = ({ field }: Session["live"]) =>
  EditorView.domEventHandlers({
    focus: (_, view) =>
      field.enter(view.dom, () => ({ text: view.state.doc.toString(), caret: view.state.selection.main.head })),
  });

const mark = Decoration.mark({ class: "cm-look-up" });
const matcher = new MatchDecorator({ regexp: /\$\{[^{}$\n]{1,200}\}/g, decoration: mark });
const variableMarks = decorateView((view) => matcher.createDeco(view));

/** Replaces an existing closing brace. */
const completeVariable =
  (variables: () => readonly Variable[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const typed = context.matchBefore(/\$\{[^{}$\n]*/);
    if (!typed) return null;
    const isClosed = context.state.sliceDoc(context.pos, context.pos + 1) === "}";
    const options = variables().map(({ written, about }, index) => ({
      label: written,
      detail: about.length > 40 ? `${about.slice(0, 40)}…` : about,
      boost: -index,
    }));
    return { from: typed.from, to: context.pos + Number(isClosed), options, validFor: /^\$\{[^{}$\n]*$/ };
  };

const toDiagnostics = (text: string, variables: readonly Variable[], addVariable: (name: string) => void) =>
  findUnknownVariables(text, variables).map(({ range, message, near, missing }): Diagnostic => {
    const actions: Action[] = [];
    if (near !== null)
      actions.push({
        name: `Write ${near}`,
        apply: (view, start, end) => view.dispatch({ changes: { from: start, to: end, insert: near } }),
      });
    if (missing !== undefined) actions.push({ name: `Add variable ${missing}`, apply: () => addVariable(missing) });
    return { ...range, severity: "warning", message, actions };
  });

const promptTheme = EditorView.theme({
  "&": {
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line-input)",
    borderRadius: "6px",
    color: "var(--text)",
    fontSize: "13px",
  },
  // CodeMirror sets cm-focused with a delay.
  "&.cm-focused, &:has(.cm-content:focus)": { outline: "2px solid var(--focus)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--font-sans)", lineHeight: "20px", overflow: "auto" },
  ".cm-content": { padding: "4px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 8px" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-placeholder": { color: "var(--text-faint)" },
  ".cm-look-up": {
    backgroundColor: "var(--accent-soft)",
    borderRadius: "4px",
    color: "var(--accent-text)",
    fontFamily: "var(--font-mono)",
    fontSize: "12px",
    fontVariantLigatures: "none",
  },
});
