import { defaultKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
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
  type ViewUpdate,
} from "@codemirror/view";
import { colorOfName } from "@/app/_kinds/node-color";
import { loadPart } from "@/app/_ui/loading/load-part";
import { whenIdle } from "@/app/_ui/loading/when-idle";
import { keyNames } from "@/lib/core/flow/node-key";
import type { Problem } from "@/lib/core/flow/problem";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import { lineStartAt, type TextChange, type TextRange } from "@/lib/core/flow/text-range";
import { findNodeByName } from "@/lib/core/layout/scene/node-index";
import { toDocument } from "../../state/editing/editing";
import { describeModel } from "../../state/models/use-models";
import type { Session } from "../../state/session";
import { toDiagnostics } from "../code/diagnostics";
import { dslHighlight } from "../code/dsl-highlight";
import { editorTheme } from "../code/editor-theme";
import { externalChange, isExternal } from "../code/external-change";
import { historyKeys } from "../code/history-keys";
import { nameTools } from "../code/name-tools";
import { modelHover } from "./model-hover";

const markDeclaration = StateEffect.define<TextRange | null>();
const declarationLine = Decoration.line({ class: "cm-declaration" });
const declarationField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const { doc } = transaction.state;
    return transaction.effects.reduce((current, effect) => {
      if (!effect.is(markDeclaration)) return current;
      if (!effect.value) return Decoration.none;
      return Decoration.set([declarationLine.range(doc.lineAt(Math.min(effect.value.from, doc.length)).from)]);
    }, marks.map(transaction.changes));
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows the text, the problems and the selection of the session. Returns the function that removes it. */
export function createCodeEditor(parent: HTMLElement, session: Session): () => void {
  const { store } = session.editor;
  const { text, problems: firstProblems } = store.getState();
  /** Spares a comparison of the whole document. */
  let shownText = text;
  const extensions = toExtensions(session, (typed, changes) => {
    shownText = typed;
    session.editor.typeText(typed, changes);
  });
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  const isInText = ({ range }: Problem): boolean => range !== undefined && range.to <= view.state.doc.length;
  const showProblems = (problems: readonly Problem[]): void =>
    view.dispatch(
      setDiagnostics(
        view.state,
        toDiagnostics(problems.filter(isInText), (problem) => session.editor.applyFix(problem)),
      ),
    );
  showProblems(firstProblems);

  const stopHelp = whenIdle(async () => {
    const { typingHelp } = await loadPart(() => import("./typing-help"));
    if (view.dom.isConnected) view.dispatch({ effects: StateEffect.appendConfig.of(typingHelp(session)) });
  });
  const stopLive = whenTogether(session, async () => {
    const { remoteCarets } = await loadPart(() => import("../together/remote-carets"));
    if (view.dom.isConnected) view.dispatch({ effects: StateEffect.appendConfig.of(remoteCarets(session)) });
  });
  const stopStore = store.subscribe((now, before) => {
    const { document } = now;
    if (now.text !== shownText) {
      const minimal = toMinimalChange(shownText, now.text);
      const changes = now.change?.before === shownText ? now.change.changes : minimal ? [minimal] : [];
      view.dispatch({ changes, annotations: externalChange.of(true) });
      shownText = now.text;
    }
    if (document !== before.document && document.text === now.text) showProblems(now.problems);
    if (now.selection !== before.selection) {
      const name = now.selection.length === 1 ? keyNames(now.selection[0] ?? "").at(-1) : undefined;
      reveal(view, name === undefined || document.text !== now.text ? null : toDocument(document).rangeOf(name));
    }
  });
  const detach = session.text.attach((range) => goTo(view, range));
  return () => {
    stopStore();
    detach();
    stopHelp();
    stopLive();
    view.destroy();
  };
}

/** Once, when someone else has the flow open. */
function whenTogether({ live }: Session, act: () => void): () => void {
  const isTogether = (): boolean => live.store.getState().peers.length > 0;
  if (isTogether()) {
    act();
    return () => undefined;
  }
  const stop = live.store.subscribe(() => {
    if (!isTogether()) return;
    stop();
    act();
  });
  return stop;
}

function reveal(view: EditorView, range: TextRange | null): void {
  const effects: StateEffect<unknown>[] = [markDeclaration.of(range)];
  if (range && !isInView(view, range.from))
    effects.push(EditorView.scrollIntoView(clamp(view, range.from), { y: "center" }));
  view.dispatch({ effects, annotations: externalChange.of(true) });
}

function goTo(view: EditorView, range: TextRange): void {
  const anchor = clamp(view, range.from);
  view.dispatch({
    selection: { anchor, head: clamp(view, range.to) },
    effects: EditorView.scrollIntoView(anchor, { y: "center" }),
  });
  view.focus();
}

/** Selects the node that the caret is in. */
function followCaret({ store, select }: Session["editor"], offset: number): void {
  const { document: reading, text, arrangement, selection } = store.getState();
  if (reading.text !== text) return;
  const document = toDocument(reading);
  const name = document.nameAt(offset) ?? document.scopeAt(lineContentStart(text, offset));
  if (name === null || selection.some((key) => keyNames(key).at(-1) === name)) return;
  const node = findNodeByName(arrangement, name);
  if (node) select([node.key]);
}

function lineContentStart(text: string, offset: number): number {
  let start = lineStartAt(text, offset);
  while (text[start] === " ") start++;
  return start;
}

const toExtensions = (
  { editor, seed, access }: Session,
  onType: (text: string, changes: readonly TextChange[]) => void,
) => [
  // The history of the store is the only one: undo covers typing and canvas edits.
  EditorState.readOnly.of(!access.mayEdit),
  historyKeys(editor.undo, editor.redo),
  nameTools(editor),
  modelHover((model) => describeModel(model, seed)),
  ...baseExtensions,
  Prec.high(dslHighlight((name) => colorOfName(editor.store.getState().flow, name))),
  EditorView.updateListener.of((update) => {
    const { docChanged, selectionSet, state, view } = update;
    if (isExternal(update)) return;
    if (docChanged) onType(state.doc.toString(), toTextChanges(update));
    if (docChanged || (selectionSet && view.hasFocus)) followCaret(editor, state.selection.main.head);
  }),
];

function toTextChanges({ changes }: ViewUpdate): TextChange[] {
  const typed: TextChange[] = [];
  changes.iterChanges((start, end, _, __, inserted) =>
    typed.push({ from: start, to: end, insert: inserted.toString() }),
  );
  return typed;
}

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
