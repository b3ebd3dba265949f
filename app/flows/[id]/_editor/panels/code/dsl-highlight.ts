import { syntaxTree } from "@codemirror/language";
import type { Range } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView } from "@codemirror/view";
import { type DslWord, splitDsl } from "@/lib/core/dsl/words";
import { decorateView } from "./decorate";

const operator = Decoration.mark({ class: "cm-dsl-operator" });

export const dslHighlight = (colorOf: (name: string) => string | null) =>
  decorateView(
    (view) => decorate(view, colorOf),
    ({ startState, state }) => syntaxTree(startState) !== syntaxTree(state),
  );

function decorate(view: EditorView, colorOf: (name: string) => string | null): DecorationSet {
  const marks: Range<Decoration>[] = [];
  for (const visible of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from: visible.from,
      to: visible.to,
      enter: ({ name, node }) => {
        const key = name === "Pair" ? node.getChild("Key") : null;
        const value = node.lastChild;
        if (!key || !value || view.state.sliceDoc(key.from, key.to) !== "flow" || value.from <= key.to) return;
        const { quote, head } = frameOf(view.state.sliceDoc(value.from, value.from + 20));
        const start = Math.max(value.from + head, visible.from);
        const text = view.state.sliceDoc(start, Math.max(start, Math.min(value.to - quote, visible.to)));
        for (const word of splitDsl(text)) marks.push(toMark(word, colorOf).range(start + word.from, start + word.to));
      },
    });
  }
  return Decoration.set(marks, true);
}

/** The offsets of a YAML value's quotes, or of the `|-` that starts a block. */
function frameOf(start: string): { quote: number; head: number } {
  const quote = /^["']/.test(start) ? 1 : 0;
  return { quote, head: /^[|>][-+\d]*/.exec(start)?.[0].length ?? quote };
}

export function toMark(word: DslWord, colorOf: (name: string) => string | null, marked = false): Decoration {
  if (word.name === null) return operator;
  const color = colorOf(word.name);
  return Decoration.mark({
    class: marked ? "cm-dsl-name cm-dsl-marked" : "cm-dsl-name",
    ...(color !== null && { attributes: { style: `color: ${color}` } }),
  });
}
