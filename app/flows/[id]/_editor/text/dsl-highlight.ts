import { syntaxTree } from "@codemirror/language";
import { type Range, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** One word of a DSL text: where it stands, and the name that it is (null: an operator or a parenthesis). */
export interface DslWord {
  from: number;
  to: number;
  name: string | null;
}

/** Splits a DSL text into operators and names, for colours only: it accepts everything. */
export function splitDsl(text: string): DslWord[] {
  const words: DslWord[] = [];
  for (const match of text.matchAll(/>>|[|()]|"(?:[^"\\]|\\.)*"?|[^>|(),"\n]+/g)) {
    const found = match[0];
    const start = match.index + (found.length - found.trimStart().length);
    const word = found.trim();
    if (word === "") continue;
    if (/^(?:#|>-?$|\|-?$)/.test(word) && word !== "|") continue;
    const isOperator = word === ">>" || /^[|()]$/.test(word);
    const name = word.startsWith('"') ? word.slice(1, word.endsWith('"') ? -1 : undefined) : word;
    words.push({ from: start, to: start + word.length, name: isOperator ? null : name });
  }
  return words;
}

const operator = Decoration.mark({ class: "cm-dsl-operator" });

/** Colours names and arrows inside the values of `flow:`, names in the colour of their card. */
export const dslHighlight = (colorOf: (name: string) => string | null) =>
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorate(view, colorOf);
      }
      update(update: ViewUpdate): void {
        if (update.docChanged || update.viewportChanged || syntaxTree(update.startState) !== syntaxTree(update.state))
          this.decorations = decorate(update.view, colorOf);
      }
    },
    { decorations: (plugin) => plugin.decorations },
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
        const quote = /^["']/.test(view.state.sliceDoc(value.from, value.from + 1)) ? 1 : 0;
        const from = Math.max(value.from + quote, visible.from);
        const text = view.state.sliceDoc(from, Math.max(from, Math.min(value.to - quote, visible.to)));
        for (const word of splitDsl(text)) marks.push(toMark(word, colorOf).range(from + word.from, from + word.to));
      },
    });
  }
  const builder = new RangeSetBuilder<Decoration>();
  for (const mark of marks.sort((a, b) => a.from - b.from)) builder.add(mark.from, mark.to, mark.value);
  return builder.finish();
}

function toMark(word: DslWord, colorOf: (name: string) => string | null): Decoration {
  if (word.name === null) return operator;
  const color = colorOf(word.name);
  return color === null
    ? Decoration.mark({ class: "cm-dsl-name" })
    : Decoration.mark({ class: "cm-dsl-name", attributes: { style: `color: ${color}` } });
}
