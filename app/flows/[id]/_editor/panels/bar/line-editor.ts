import { autocompletion, closeBrackets } from "@codemirror/autocomplete";
import { history } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorSelection, EditorState, type SelectionRange, StateEffect } from "@codemirror/state";
import { EditorView, placeholder, ViewPlugin } from "@codemirror/view";
import { colorOfName } from "@/app/_kinds/node-color";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import type { Session } from "../../state/session";
import { describeName } from "../code/describe-name";
import { externalChange, isExternal } from "../code/external-change";
import { dslTheme, popoverTheme } from "../code/popover-theme";
import { completeLine, toVocabulary } from "./complete-line";
import { describeBar } from "./describe-bar";
import type { FlowBar, FlowBarContent } from "./flow-bar";
import { colorWords, describeOnHover, displayField, findNamed, findWord, setDisplay } from "./line-display";
import { lineKeys, oneLine, toLineDiagnostics } from "./line-keys";

interface LineOptions {
  session: Pick<Session, "editor" | "access">;
  bar: FlowBar;
  selection: Pick<SelectionRange, "anchor" | "head">;
  hasFocus: boolean;
}

export type CreateLineEditor = typeof createLineEditor;

/** Wrapping thousands of names would take too long at every key press. */
const mostWrapped = 10_000;

/** Returns the function that removes it. */
export function createLineEditor(parent: HTMLElement, { session, bar, selection, hasFocus }: LineOptions): () => void {
  const content = bar.read();
  const hint = new Compartment();
  const writing = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: content.line,
      selection,
      extensions: [
        displayField.init(() => content),
        writing.of(history()),
        hint.of(placeholder(content.hint)),
        EditorState.readOnly.of(!session.access.mayEdit),
        toExtensions(session, bar),
        baseExtensions,
      ],
    }),
  });
  view.dispatch(setDiagnostics(view.state, toLineDiagnostics(content.problems)));
  if (hasFocus) view.focus();

  const show = (next: FlowBarContent): void => {
    const before = view.state.field(displayField);
    const change = toMinimalChange(view.state.doc.toString(), next.line);
    view.dispatch({
      ...(change && { changes: change }),
      effects: setDisplay.of(next),
      annotations: externalChange.of(true),
    });
    if (next.hint !== before.hint) view.dispatch({ effects: hint.reconfigure(placeholder(next.hint)) });
    if (next.line === next.text && (change || next.text !== before.text)) {
      // The line was applied or dropped: undo continues in the history of the editor.
      view.dispatch({ effects: writing.reconfigure([]) });
      view.dispatch({ effects: writing.reconfigure(history()) });
    }
    if (change || next.problems !== before.problems)
      view.dispatch(setDiagnostics(view.state, toLineDiagnostics(next.problems)));
    if (next.marked !== before.marked || next.text !== before.text) revealMarked(view);
  };
  revealMarked(view);
  const stop = bar.subscribe(() => show(bar.read()));
  return () => {
    stop();
    // Removing the element blurs it, which must not apply the line.
    view.dispatch({ effects: StateEffect.reconfigure.of([]) });
    view.destroy();
  };
}

/** Scrolls the line to the first selected name in it, unless a user is writing. */
function revealMarked(view: EditorView): void {
  const [name] = view.state.field(displayField).marked;
  const word = name === undefined ? undefined : findNamed(view.state, name);
  if (!word || view.hasFocus) return;
  view.dispatch({
    effects: EditorView.scrollIntoView(EditorSelection.range(word.from, word.to), { x: "nearest", xMargin: 48 }),
  });
}

/** Marks the ends of the line that are out of view. */
const fadeEnds = ViewPlugin.define((view) => {
  const update = (): void =>
    view.requestMeasure({
      key: "fade",
      read: ({ scrollDOM: { scrollLeft, clientWidth, scrollWidth } }) => ({
        start: scrollLeft > 1,
        end: scrollLeft + clientWidth < scrollWidth - 1,
      }),
      write: ({ start, end }, { dom }) => {
        dom.toggleAttribute("data-more-before", start);
        dom.toggleAttribute("data-more-after", end);
      },
    });
  view.scrollDOM.addEventListener("scroll", update, { passive: true });
  update();
  return { update, destroy: () => view.scrollDOM.removeEventListener("scroll", update) };
});

function toExtensions({ editor }: Pick<Session, "editor">, bar: FlowBar) {
  const flowNow = () => editor.store.getState().flow;
  return [
    colorWords((name) => colorOfName(flowNow(), name)),
    describeOnHover((name) => describeName(flowNow(), name)),
    lineKeys(editor, bar),
    EditorView.domEventHandlers({ focus: bar.lock, blur: bar.leave }),
    EditorView.updateListener.of((update) => {
      if (isExternal(update)) return;
      if (update.docChanged) bar.type(update.state.doc.toString());
      else if (update.transactions.some((transaction) => transaction.isUserEvent("select"))) {
        const { empty, head } = update.state.selection.main;
        const word = empty ? findWord(update.state, head) : null;
        if (word) bar.selectNode(word.name);
      }
    }),
    autocompletion({
      override: [completeLine(() => toVocabulary(flowNow(), bar.read().owner), bar.addNewAgent)],
      // Enter applies the line; a completion has to be selected explicitly.
      selectOnOpen: false,
      interactionDelay: 0,
      icons: false,
    }),
  ];
}

/** As high as a plain input; while focused it overlays the canvas, so that the layout does not move. */
const lineTheme = EditorView.theme({
  "&": { color: "var(--text)", fontSize: "12px", borderRadius: "4px" },
  "&.cm-focused": {
    backgroundColor: "var(--surface)",
    outline: "2px solid var(--focus)",
    outlineOffset: "0",
  },
  // CodeMirror scrolls to a position only in what a user could scroll, too.
  ".cm-scroller": {
    maxHeight: "152px",
    overflow: "auto hidden",
    scrollbarWidth: "none",
    fontFamily: "var(--font-mono)",
    fontVariantLigatures: "none",
    lineHeight: "20px",
  },
  "&.cm-focused .cm-scroller": { overflow: "auto", scrollbarWidth: "auto" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 4px" },
  "&:not(.cm-focused)": { "--fade-before": "0px", "--fade-after": "0px" },
  "&[data-more-before]:not(.cm-focused)": { "--fade-before": "24px" },
  "&[data-more-after]:not(.cm-focused)": { "--fade-after": "24px" },
  "&:not(.cm-focused) .cm-scroller": {
    maskImage:
      "linear-gradient(90deg, transparent, black var(--fade-before), black calc(100% - var(--fade-after)), transparent)",
  },
  ".cm-placeholder": { color: "var(--text-faint)" },
});

const baseExtensions = [
  oneLine,
  EditorState.languageData.of(() => [{ closeBrackets: { brackets: ["(", '"'] } }]),
  closeBrackets(),
  bracketMatching({ brackets: "()" }),
  EditorView.contentAttributes.of(({ state, hasFocus }) => ({
    ...describeBar(state.field(displayField)),
    "aria-multiline": "false",
    spellcheck: "false",
    autocapitalize: "off",
    autocorrect: "off",
    enterkeyhint: "go",
    tabindex: "0",
    ...(hasFocus && state.doc.length <= mostWrapped && { class: "cm-lineWrapping" }),
  })),
  fadeEnds,
  lineTheme,
  dslTheme,
  popoverTheme,
];
