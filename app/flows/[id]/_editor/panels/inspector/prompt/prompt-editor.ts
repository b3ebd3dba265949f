import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { standardKeymap } from "@codemirror/commands";
import { forceLinting, linter } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { Decoration, EditorView, keymap, MatchDecorator, placeholder } from "@codemirror/view";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import { decorateView } from "../../code/decorate";
import { externalChange, isExternal } from "../../code/external-change";
import { historyKeys } from "../../code/history-keys";
import { popoverTheme } from "../../code/popover-theme";
import { findWrongLookUps, type Variable } from "./variables";

export interface PromptEditorEvents {
  onType(text: string): void;
  onLeave(): void;
  onUndo(): void;
  onRedo(): void;
  variables(): readonly Variable[];
}

export type PromptEditor = ReturnType<typeof createPromptEditor>;

interface PromptEditorLook {
  label: string;
  hint: string;
  isLarge: boolean;
}

export function createPromptEditor(
  parent: HTMLElement,
  text: string,
  { look, events }: { look: PromptEditorLook; events: PromptEditorEvents },
) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [toExtensions(events), toLook(look), promptTheme, popoverTheme],
    }),
  });
  return {
    show(next: string): void {
      const change = toMinimalChange(view.state.doc.toString(), next);
      if (change) view.dispatch({ changes: change, annotations: externalChange.of(true) });
    },
    check: () => forceLinting(view),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

const toExtensions = (events: PromptEditorEvents) => [
  historyKeys(events.onUndo, events.onRedo),
  keymap.of([...completionKeymap, ...standardKeymap]),
  autocompletion({ override: [completeLookUp(events.variables)], icons: false }),
  linter((view) => toDiagnostics(view.state.doc.toString(), events.variables()), { delay: 200 }),
  lookUps,
  EditorView.lineWrapping,
  EditorView.updateListener.of((update) => {
    if (update.docChanged && !isExternal(update)) events.onType(update.state.doc.toString());
    if (update.focusChanged && !update.view.hasFocus) events.onLeave();
  }),
];

const toLook = ({ label, hint, isLarge }: PromptEditorLook) => [
  placeholder(hint),
  EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", tabindex: "0", spellcheck: "true" }),
  EditorView.theme({
    ".cm-scroller": { minHeight: isLarge ? "50dvh" : "96px", maxHeight: isLarge ? "60dvh" : "320px" },
  }),
];

const mark = Decoration.mark({ class: "cm-look-up" });
const matcher = new MatchDecorator({ regexp: /\$\{[^{}$\n]{1,200}\}/g, decoration: mark });
const lookUps = decorateView((view) => matcher.createDeco(view));

/** Replaces an existing closing brace. */
export const completeLookUp =
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

const toDiagnostics = (text: string, variables: readonly Variable[]) =>
  findWrongLookUps(text, variables).map(({ range, message, near }) => ({
    ...range,
    severity: "warning" as const,
    message,
    actions:
      near === null
        ? []
        : [
            {
              name: `Write ${near}`,
              apply: (view: EditorView, start: number, end: number) =>
                view.dispatch({ changes: { from: start, to: end, insert: near } }),
            },
          ],
  }));

const promptTheme = EditorView.theme({
  "&": {
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line-strong)",
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
  },
});
