import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { printName } from "@/lib/core/dsl/print";
import { splitDsl, findNameAt } from "@/lib/core/dsl/words";

/** What can be written in a line just now. */
export interface LineVocabulary {
  /** What may stand in this part of the flow, and what each is, in a few words. */
  names: readonly { name: string; about: string }[];
  /** Whether nothing is declared under a name yet, so that it could become an agent. */
  isFree(name: string): boolean;
}

/** Offers names that the line does not hold yet; a name that is nothing yet can become an agent. */
export const completeLine =
  (vocabulary: () => LineVocabulary, onNewAgent: (name: string) => void) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const words = splitDsl(state.doc.toString());
    const word = findNameAt(words, pos);
    if (!word && !explicit) return null;
    const { names, isFree } = vocabulary();
    const used = new Set(words.flatMap(({ from, name }) => (name === null || from === word?.from ? [] : [name])));
    const options = names.flatMap(({ name, about }): Completion[] =>
      used.has(name) ? [] : [{ label: printName(name), detail: about, boost: 50 }],
    );
    if (word && word.name !== "" && isFree(word.name)) options.push(toNewAgent(word.name, onNewAgent));
    return { from: word?.from ?? pos, to: word?.to ?? pos, options };
  };

/** Comes last; the line keeps what was typed. */
const toNewAgent = (name: string, onNewAgent: (name: string) => void): Completion => ({
  label: printName(name),
  detail: "New agent",
  boost: -99,
  apply(view, _, from, to) {
    const insert = printName(name);
    view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
    onNewAgent(name);
  },
});
