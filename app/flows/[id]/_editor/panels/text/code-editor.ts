import { defaultKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { loadPart } from "@/app/_ui/loading/load-part";
import { whenIdle } from "@/app/_ui/loading/when-idle";
import type { Problem } from "@/lib/core/flow/problem";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import type { TextChange, TextRange } from "@/lib/core/flow/text-range";
import { dslHighlight } from "../code/dsl-highlight";
import { editorTheme } from "../code/editor-theme";
import { externalChange, isExternal } from "../code/external-change";
import { historyKeys } from "../code/history-keys";
import { type NameEvents, nameTools } from "../code/name-tools";
import type { Vocabulary } from "./completion";
import { modelHover } from "./model-hover";

export interface CodeEditorEvents {
  onType(text: string): void;
  onCaret(offset: number): void;
  onUndo(): void;
  onRedo(): void;
  onFix(problem: Problem): void;
  vocabulary(): Vocabulary;
  names: NameEvents;
  describeModel(model: string): Promise<readonly string[]>;
  colorOf(name: string): string | null;
}

export type CodeEditor = ReturnType<typeof createCodeEditor>;

const markDeclaration = StateEffect.define<TextRange | null>();
const declarationLine = Decoration.line({ class: "cm-declaration" });
const declarationField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(markDeclaration)) continue;
      const { doc } = transaction.state;
      next = effect.value
        ? Decoration.set([declarationLine.range(doc.lineAt(Math.min(effect.value.from, doc.length)).from)])
        : Decoration.none;
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function createCodeEditor(parent: HTMLElement, text: string, events: CodeEditorEvents) {
  /** Spares a comparison of the whole document. */
  let shownText = text;
  const extensions = toExtensions(events, (typed) => {
    shownText = typed;
    events.onType(typed);
  });
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });

  const stopHelp = whenIdle(() => void help());

  async function help(): Promise<void> {
    const { typingHelp } = await loadPart(() => import("./typing-help"));
    if (view.dom.isConnected) view.dispatch({ effects: StateEffect.appendConfig.of(typingHelp(events.vocabulary)) });
  }

  return {
    /** `changes` are used when the editor still shows `before`. */
    show(next: string, change: { before: string; changes: readonly TextChange[] } | null): void {
      if (next === shownText) return;
      const minimal = toMinimalChange(shownText, next);
      const changes = change?.before === shownText ? change.changes : minimal ? [minimal] : [];
      view.dispatch({ changes, annotations: externalChange.of(true) });
      shownText = next;
    },
    showProblems(problems: readonly Problem[]): void {
      view.dispatch(setDiagnostics(view.state, toDiagnostics(problems, view.state.doc.length, events)));
    },
    reveal(range: TextRange | null): void {
      const effects: StateEffect<unknown>[] = [markDeclaration.of(range)];
      if (range && !isInView(view, range.from))
        effects.push(EditorView.scrollIntoView(clamp(view, range.from), { y: "center" }));
      view.dispatch({ effects, annotations: externalChange.of(true) });
    },
    goTo(range: TextRange): void {
      const anchor = clamp(view, range.from);
      view.dispatch({
        selection: { anchor, head: clamp(view, range.to) },
        effects: EditorView.scrollIntoView(anchor, { y: "center" }),
      });
      view.focus();
    },
    destroy() {
      stopHelp();
      view.destroy();
    },
  };
}

const toExtensions = (events: CodeEditorEvents, onType: (text: string) => void) => [
  // The history of the store is the only one: undo covers typing and canvas edits.
  historyKeys(events.onUndo, events.onRedo),
  nameTools(events.names),
  modelHover(events.describeModel),
  ...baseExtensions,
  Prec.high(dslHighlight(events.colorOf)),
  EditorView.updateListener.of((update) => {
    const { docChanged, selectionSet, state, view } = update;
    if (isExternal(update)) return;
    if (docChanged) onType(state.doc.toString());
    if (docChanged || (selectionSet && view.hasFocus)) events.onCaret(state.selection.main.head);
  }),
];

const baseExtensions = [
  lineNumbers(),
  lintGutter(),
  foldGutter(),
  codeFolding(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  drawSelection(),
  rectangularSelection({ eventFilter: (event) => event.altKey && event.shiftKey }),
  EditorState.allowMultipleSelections.of(true),
  EditorView.clickAddsSelectionRange.of((event) => event.altKey),
  indentOnInput(),
  bracketMatching(),
  yaml(),
  EditorView.lineWrapping,
  declarationField,
  editorTheme,
  EditorView.contentAttributes.of({
    "aria-label": "Flow text",
    tabindex: "0",
    spellcheck: "false",
    autocapitalize: "off",
  }),
  keymap.of([
    // Ctrl+Enter runs the flow wherever the focus is.
    ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
    ...foldKeymap,
    ...lintKeymap.filter(({ key }) => key !== "F8"),
  ]),
];

const clamp = (view: EditorView, offset: number): number => Math.max(0, Math.min(offset, view.state.doc.length));

function isInView(view: EditorView, offset: number): boolean {
  const block = view.lineBlockAt(clamp(view, offset));
  const { scrollTop, clientHeight } = view.scrollDOM;
  return block.top >= scrollTop && block.bottom <= scrollTop + clientHeight;
}

function toDiagnostics(problems: readonly Problem[], length: number, events: CodeEditorEvents): Diagnostic[] {
  return problems.flatMap((problem) => {
    const { range, severity, message, fix } = problem;
    if (!range || range.to > length) return [];
    const actions = fix ? [{ name: fix.title, apply: () => events.onFix(problem) }] : [];
    return [{ from: range.from, to: range.to, severity, message, actions }];
  });
}
