import { syntaxTree } from "@codemirror/language";
import { type Range, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { lex } from "@/lib/core/dsl/lexer";

/** One word of a DSL text: where it stands, and the name that it is (null: an operator or a parenthesis). */
export interface DslWord {
  from: number;
  to: number;
  name: string | null;
}

/** The words of a DSL text, whatever is wrong with it. */
export const splitDsl = (text: string): DslWord[] =>
  lex(text)
    .slice(0, -1)
    .map(({ type, text: name, from, to }) => ({
      from,
      to,
      name: type === "name" || type === "unclosed-quote" ? name : null,
    }));

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
        const { quote, head } = frameOf(view.state.sliceDoc(value.from, value.from + 20));
        const from = Math.max(value.from + head, visible.from);
        const text = view.state.sliceDoc(from, Math.max(from, Math.min(value.to - quote, visible.to)));
        for (const word of splitDsl(text)) marks.push(toMark(word, colorOf).range(from + word.from, from + word.to));
      },
    });
  }
  const builder = new RangeSetBuilder<Decoration>();
  for (const mark of marks.sort((a, b) => a.from - b.from)) builder.add(mark.from, mark.to, mark.value);
  return builder.finish();
}

/** What of a YAML value is no part of the DSL: its quotes, or the `|-` that begins a block. */
function frameOf(start: string): { quote: number; head: number } {
  const quote = /^["']/.test(start) ? 1 : 0;
  return { quote, head: /^[|>][-+\d]*/.exec(start)?.[0].length ?? quote };
}

function toMark(word: DslWord, colorOf: (name: string) => string | null): Decoration {
  if (word.name === null) return operator;
  const color = colorOf(word.name);
  return color === null
    ? Decoration.mark({ class: "cm-dsl-name" })
    : Decoration.mark({ class: "cm-dsl-name", attributes: { style: `color: ${color}` } });
}
