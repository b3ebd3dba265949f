import { type EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  type Decoration,
  type DecorationSet,
  type EditorView,
  hoverTooltip,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { findNameAt, splitDsl } from "@/lib/core/dsl/words";
import type { Problem } from "@/lib/core/flow/problem";
import { toMark } from "../code/dsl-highlight";
import { toNameCard } from "../code/name-tools";

export interface LineDisplay {
  line: string;
  text: string;
  hint: string;
  problems: readonly Problem[];
  marked: readonly string[];
  attributes: Readonly<Record<string, string>>;
}

export const setDisplay = StateEffect.define<LineDisplay>();

export const displayField = StateField.define<LineDisplay>({
  create: () => ({ line: "", text: "", hint: "", problems: [], marked: [], attributes: {} }),
  update: (look, { effects }) =>
    effects.reduce((current, effect) => (effect.is(setDisplay) ? effect.value : current), look),
});

export const findWord = (state: EditorState, offset: number) => findNameAt(splitDsl(state.doc.toString()), offset);

type ColorOf = (name: string) => string | null;

export const colourWords = (colorOf: ColorOf) =>
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorate(view, colorOf);
      }
      update({ view, docChanged, viewportChanged, startState }: ViewUpdate): void {
        if (docChanged || viewportChanged || view.state.field(displayField) !== startState.field(displayField))
          this.decorations = decorate(view, colorOf);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );

function decorate({ state, visibleRanges }: EditorView, colorOf: ColorOf): DecorationSet {
  const marked = new Set(state.field(displayField).marked);
  const builder = new RangeSetBuilder<Decoration>();
  for (const word of splitDsl(state.doc.toString()))
    if (word.from < word.to && visibleRanges.some(({ from: start, to: end }) => word.from < end && start < word.to))
      builder.add(word.from, word.to, toMark(word, colorOf, word.name !== null && marked.has(word.name)));
  return builder.finish();
}

export const describeOnHover = (describe: (name: string) => readonly string[]) =>
  hoverTooltip(
    ({ state }, offset) => {
      const word = findWord(state, offset);
      if (!word) return null;
      const create = () => ({ dom: toNameCard(word.name, describe(word.name)) });
      return { pos: word.from, end: word.to, create };
    },
    { hideOnChange: true },
  );
