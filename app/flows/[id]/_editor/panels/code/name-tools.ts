import { EditorSelection, type Extension, StateEffect, StateField } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import { toPlainMessage } from "@/app/_ui/text/split-code";
import type { TextRange } from "@/lib/core/flow/text-range";
import { findName, type NameOccurrences, nameWrittenAt } from "@/lib/core/source/query/find-names";
import { toDocument } from "../../state/editing/editing";
import type { Editor } from "../../state/editor/editor";
import { describeName } from "./describe-name";
import { describeKey } from "./key-help";

export function nameTools(editor: Editor): Extension {
  return [
    hoverTooltip((view, offset) => describeAt(view, offset, editor)),
    renameField,
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        const isDone = offset !== null && goToDefinition(view, offset, editor);
        if (isDone) event.preventDefault();
        return isDone;
      },
    }),
    keymap.of([
      { key: "F12", run: (view) => goToDefinition(view, view.state.selection.main.head, editor) },
      { key: "Shift-F12", run: (view) => selectOccurrences(view, editor) },
      { key: "F2", run: (view) => startRename(view, editor) },
    ]),
  ];
}

/** Null while the user types in a large text that has not been read yet. */
function readDocument({ store }: Editor) {
  const { document, text } = store.getState();
  return document.text === text ? toDocument(document) : null;
}

function findNameAt(editor: Editor, offset: number) {
  const document = readDocument(editor);
  return document && nameWrittenAt(document, offset);
}

function findOccurrences(editor: Editor, name: string): NameOccurrences {
  const document = readDocument(editor);
  return document ? findName(document, name) : { declaration: null, references: [] };
}

function keyAt({ state }: EditorView, offset: number): { key: string; range: TextRange } | null {
  const range = state.wordAt(offset);
  const key = range && state.sliceDoc(range.from, range.to);
  return range && key && /^["']?\s*:(?:\s|$)/.test(state.sliceDoc(range.to, range.to + 4)) ? { key, range } : null;
}

function describeAt(view: EditorView, offset: number, editor: Editor): Tooltip | null {
  const named = findNameAt(editor, offset);
  const key = named ? null : keyAt(view, offset);
  const meaning = key && describeKey(key.key);
  const lines = named
    ? [named.name, ...describeName(editor.store.getState().flow, named.name)]
    : key && meaning
      ? [key.key, meaning]
      : [];
  const range = named?.range ?? key?.range;
  if (!range || lines.length === 0) return null;
  const [title = "", ...facts] = lines;
  return { pos: range.from, end: range.to, above: true, create: () => ({ dom: toNameCard(title, facts) }) };
}

export function toNameCard(title: string, facts: readonly string[]): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "cm-name-card";
  const head = dom.appendChild(document.createElement("strong"));
  head.textContent = title;
  for (const fact of facts) dom.appendChild(document.createElement("div")).textContent = fact;
  return dom;
}

function goToDefinition(view: EditorView, offset: number, editor: Editor): boolean {
  const nameAtOffset = findNameAt(editor, offset);
  const declaration = nameAtOffset && findOccurrences(editor, nameAtOffset.name).declaration;
  if (!declaration) return false;
  view.dispatch({
    selection: { anchor: declaration.from, head: declaration.to },
    effects: EditorView.scrollIntoView(declaration.from, { y: "center" }),
  });
  view.focus();
  return true;
}

function selectOccurrences(view: EditorView, editor: Editor): boolean {
  const nameAtCaret = findNameAt(editor, view.state.selection.main.head);
  if (!nameAtCaret) return false;
  const { declaration, references } = findOccurrences(editor, nameAtCaret.name);
  const ranges = declaration ? [declaration, ...references] : references;
  if (ranges.length === 0) return false;
  const selection = EditorSelection.create(ranges.map(({ from: start, to: end }) => EditorSelection.range(start, end)));
  view.dispatch({ selection, scrollIntoView: true });
  return true;
}

const setRename = StateEffect.define<Tooltip | null>();
const renameField = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    for (const effect of transaction.effects) if (effect.is(setRename)) return effect.value;
    return transaction.docChanged ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

function startRename(view: EditorView, editor: Editor): boolean {
  const nameAtCaret = findNameAt(editor, view.state.selection.main.head);
  if (!nameAtCaret) return false;
  const create = () => ({ dom: toRenameForm(view, nameAtCaret.name, editor), mount: focusInput });
  view.dispatch({ effects: setRename.of({ pos: nameAtCaret.range.from, above: false, create }) });
  return true;

  function focusInput(): void {
    const input = view.dom.querySelector<HTMLInputElement>(".cm-rename input");
    input?.focus();
    input?.select();
  }
}

function toRenameForm(view: EditorView, name: string, editor: Editor): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "cm-rename";
  const input = dom.appendChild(document.createElement("input"));
  input.value = name;
  input.setAttribute("aria-label", `New name of ${name}`);
  const problem = dom.appendChild(document.createElement("div"));
  problem.setAttribute("role", "alert");
  const close = (): void => {
    view.dispatch({ effects: setRename.of(null) });
    view.focus();
  };
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") close();
    if (event.key !== "Enter") return;
    event.preventDefault();
    const to = input.value.trim();
    const refusal = to === name ? null : editor.dispatch([{ type: "rename", from: name, to }]);
    if (refusal) problem.textContent = toPlainMessage(refusal.message);
    else close();
  });
  input.addEventListener("blur", () => view.dispatch({ effects: setRename.of(null) }));
  return dom;
}
