import { EditorSelection, type Extension, type StateCommand, StateEffect, StateField } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import type { TextRange } from "@/lib/core/flow/text-range";
import type { NameOccurrences } from "@/lib/core/source/query/find-names";
import { describeKey } from "./key-help";

/** Null while the displayed text has not been read yet. */
export interface NameEvents {
  nameAt(offset: number): { name: string; range: TextRange } | null;
  placesOf(name: string): NameOccurrences;
  describe(name: string): readonly string[];
  /** Returns why the rename is impossible, or null. */
  rename(oldName: string, newName: string): string | null;
}

export function nameTools(events: NameEvents): Extension {
  return [
    hoverTooltip((view, offset) => describeAt(view, offset, events)),
    renameField,
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        const isDone = offset !== null && goToDefinition(view, offset, events);
        if (isDone) event.preventDefault();
        return isDone;
      },
    }),
    keymap.of([
      { key: "F12", run: (view) => goToDefinition(view, view.state.selection.main.head, events) },
      { key: "Shift-F12", run: selectPlaces(events) },
      { key: "F2", run: (view) => startRename(view, events) },
    ]),
  ];
}

function keyAt({ state }: EditorView, offset: number): { key: string; range: TextRange } | null {
  const range = state.wordAt(offset);
  const key = range && state.sliceDoc(range.from, range.to);
  return range && key && /^["']?\s*:(?:\s|$)/.test(state.sliceDoc(range.to, range.to + 4)) ? { key, range } : null;
}

function describeAt(view: EditorView, offset: number, events: NameEvents): Tooltip | null {
  const named = events.nameAt(offset);
  const key = named ? null : keyAt(view, offset);
  const meaning = key && describeKey(key.key);
  const lines = named ? [named.name, ...events.describe(named.name)] : key && meaning ? [key.key, meaning] : [];
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

function goToDefinition(view: EditorView, offset: number, events: NameEvents): boolean {
  const nameAtOffset = events.nameAt(offset);
  const declaration = nameAtOffset && events.placesOf(nameAtOffset.name).declaration;
  if (!declaration) return false;
  view.dispatch({
    selection: { anchor: declaration.from, head: declaration.to },
    effects: EditorView.scrollIntoView(declaration.from, { y: "center" }),
  });
  view.focus();
  return true;
}

const selectPlaces =
  (events: NameEvents): StateCommand =>
  ({ state, dispatch }) => {
    const nameAtCaret = events.nameAt(state.selection.main.head);
    if (!nameAtCaret) return false;
    const { declaration, references } = events.placesOf(nameAtCaret.name);
    const all = [...(declaration ? [declaration] : []), ...references].map(({ from: start, to: end }) =>
      EditorSelection.range(start, end),
    );
    if (all.length === 0) return false;
    dispatch(state.update({ selection: EditorSelection.create(all), scrollIntoView: true }));
    return true;
  };

const setRename = StateEffect.define<Tooltip | null>();
const renameField = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    for (const effect of transaction.effects) if (effect.is(setRename)) return effect.value;
    return transaction.docChanged ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

function startRename(view: EditorView, events: NameEvents): boolean {
  const nameAtCaret = events.nameAt(view.state.selection.main.head);
  if (!nameAtCaret) return false;
  const create = () => ({ dom: toRenameForm(view, nameAtCaret.name, events), mount: focusInput });
  view.dispatch({ effects: setRename.of({ pos: nameAtCaret.range.from, above: false, create }) });
  return true;

  function focusInput(): void {
    const input = view.dom.querySelector<HTMLInputElement>(".cm-rename input");
    input?.focus();
    input?.select();
  }
}

function toRenameForm(view: EditorView, name: string, events: NameEvents): HTMLElement {
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
    const refused = input.value.trim() === name ? null : events.rename(name, input.value.trim());
    if (refused === null) close();
    else problem.textContent = refused;
  });
  input.addEventListener("blur", () => view.dispatch({ effects: setRename.of(null) }));
  return dom;
}
