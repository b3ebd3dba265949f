import { autocompletion, closeBrackets } from "@codemirror/autocomplete";
import { history } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, StateEffect } from "@codemirror/state";
import { EditorView, placeholder } from "@codemirror/view";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import { dslTheme, popoverTheme } from "../code/popover-theme";
import { completeLine, type LineVocabulary } from "./complete-line";
import { colourWords, describeOnHover, displayField, findWord, type LineDisplay, setDisplay } from "./line-display";
import { lineKeys, oneLine, toDiagnostics } from "./line-keys";
import { lineTheme } from "./line-theme";

export interface LineEvents {
  onType(line: string): void;
  onApply(): void;
  /** Returns whether there was an unapplied line. */
  onDiscard(): boolean;
  /** For changes that are not part of the current typing. */
  onUndo(): void;
  onRedo(): void;
  onPoint(name: string): void;
  onNewAgent(name: string): void;
  onFocus(): void;
  onLeave(): void;
  vocabulary(): LineVocabulary;
  describe(name: string): readonly string[];
  /** Null for names that are not declared. */
  colorOf(name: string): string | null;
}

export interface LineEditor {
  show(look: LineDisplay): void;
  destroy(): void;
}

interface LineOptions {
  look: LineDisplay;
  selection: { anchor: number; head: number };
  hasFocus: boolean;
  events: LineEvents;
}

export type CreateLineEditor = typeof createLineEditor;

/** Wrapping thousands of names would take too long at every key press. */
const mostWrapped = 10_000;

const isExternalChange = Annotation.define<boolean>();

export function createLineEditor(parent: HTMLElement, options: LineOptions): LineEditor {
  const { look, selection, hasFocus, events } = options;
  const hint = new Compartment();
  const writing = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: look.line,
      selection,
      extensions: [
        displayField.init(() => look),
        writing.of(history()),
        hint.of(placeholder(look.hint)),
        colourWords(events.colorOf),
        describeOnHover(events.describe),
        lineKeys(events),
        listenTo(events),
        autocompletion({
          override: [completeLine(events.vocabulary, events.onNewAgent)],
          // Enter applies the line; a completion has to be selected explicitly.
          selectOnOpen: false,
          interactionDelay: 0,
          icons: false,
        }),
        baseExtensions,
      ],
    }),
  });
  view.dispatch(setDiagnostics(view.state, toDiagnostics(look.problems)));
  if (hasFocus) view.focus();

  return {
    show(next) {
      const before = view.state.field(displayField);
      const change = toMinimalChange(view.state.doc.toString(), next.line);
      view.dispatch({
        ...(change && { changes: change }),
        effects: setDisplay.of(next),
        annotations: isExternalChange.of(true),
      });
      if (next.hint !== before.hint) view.dispatch({ effects: hint.reconfigure(placeholder(next.hint)) });
      if (change || next.text !== before.text) {
        // The line was applied or dropped: undo continues in the history of the editor.
        view.dispatch({ effects: writing.reconfigure([]) });
        view.dispatch({ effects: writing.reconfigure(history()) });
      }
      if (change || next.problems !== before.problems)
        view.dispatch(setDiagnostics(view.state, toDiagnostics(next.problems)));
    },
    destroy() {
      // Removing the element blurs it, which must not apply the line.
      view.dispatch({ effects: StateEffect.reconfigure.of([]) });
      view.destroy();
    },
  };
}

const listenTo = (events: LineEvents) => [
  EditorView.domEventHandlers({ focus: events.onFocus, blur: events.onLeave }),
  EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    if (transactions.some((transaction) => transaction.annotation(isExternalChange))) return;
    if (docChanged) events.onType(state.doc.toString());
    else if (transactions.some((transaction) => transaction.isUserEvent("select"))) {
      const { empty, head } = state.selection.main;
      const word = empty ? findWord(state, head) : null;
      if (word) events.onPoint(word.name);
    }
  }),
];

const baseExtensions = [
  oneLine,
  EditorState.languageData.of(() => [{ closeBrackets: { brackets: ["(", '"'] } }]),
  closeBrackets(),
  bracketMatching({ brackets: "()" }),
  EditorView.contentAttributes.of(({ state, hasFocus }) => ({
    ...state.field(displayField).attributes,
    "aria-multiline": "false",
    spellcheck: "false",
    autocapitalize: "off",
    autocorrect: "off",
    enterkeyhint: "go",
    tabindex: "0",
    ...(hasFocus && state.doc.length <= mostWrapped && { class: "cm-lineWrapping" }),
  })),
  lineTheme,
  dslTheme,
  popoverTheme,
];
