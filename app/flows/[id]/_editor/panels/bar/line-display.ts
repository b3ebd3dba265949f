import { type EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, hoverTooltip } from "@codemirror/view";
import { findNameAt, splitDsl } from "@/lib/core/dsl/words";
import { decorateView } from "../code/decorate";
import { toMark } from "../code/dsl-highlight";
import { toNameCard } from "../code/name-tools";
import type { FlowBarContent } from "./flow-bar";

export const setDisplay = StateEffect.define<FlowBarContent>();

export const displayField = StateField.define<FlowBarContent>({
  create: () => ({ isShown: true, owner: null, text: "", line: "", hint: "", problems: [], refused: [], marked: [] }),
  update: (content, { effects }) =>
    effects.reduce((current, effect) => (effect.is(setDisplay) ? effect.value : current), content),
});

export const findWord = (state: EditorState, offset: number) => findNameAt(splitDsl(state.doc.toString()), offset);

/** The first word of that name. */
export const findNamed = (state: EditorState, name: string) =>
  splitDsl(state.doc.toString()).find((word) => word.name === name);

type ColorOf = (name: string) => string | null;

export const colorWords = (colorOf: ColorOf) =>
  decorateView(
    (view) => decorate(view, colorOf),
    ({ startState, state }) => state.field(displayField) !== startState.field(displayField),
  );

function decorate({ state, visibleRanges }: EditorView, colorOf: ColorOf): DecorationSet {
  const marked = new Set(state.field(displayField).marked);
  const words = splitDsl(state.doc.toString()).filter(
    (word) => word.from < word.to && visibleRanges.some((visible) => word.from < visible.to && visible.from < word.to),
  );
  return Decoration.set(
    words.map((word) => toMark(word, colorOf, word.name !== null && marked.has(word.name)).range(word.from, word.to)),
  );
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
