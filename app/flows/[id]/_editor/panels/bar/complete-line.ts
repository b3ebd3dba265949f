import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { printName } from "@/lib/core/dsl/print";
import { findNameAt, splitDsl } from "@/lib/core/dsl/words";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { containsDeclaration, declaredNames } from "@/lib/core/kinds/members";
import { describeName } from "../code/describe-name";

interface LineVocabulary {
  /** The names allowed in this part of the flow, each with a short description. */
  names: readonly { name: string; about: string }[];
  isFree(name: string): boolean;
}

/** Excludes names that would contain the owner. */
export function toVocabulary(flow: Flow, owner: string | null): LineVocabulary {
  const fitting = declaredNames(flow).filter(
    (name) => owner === null || (name !== owner && !containsDeclaration(flow, name, owner)),
  );
  return {
    names: fitting.map((name) => ({ name, about: describeName(flow, name)[0] ?? "" })),
    isFree: (name) => findDeclaration(flow, name) === null,
  };
}

/** A name that is not declared yet is offered as a new agent. */
export const completeLine =
  (vocabulary: () => LineVocabulary, onNewAgent: (name: string) => void) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const words = splitDsl(state.doc.toString());
    const word = findNameAt(words, pos);
    if (!word && !explicit) return null;
    const { names, isFree } = vocabulary();
    const used = new Set(
      words.flatMap(({ from: start, name }) => (name === null || start === word?.from ? [] : [name])),
    );
    const options = names.flatMap(({ name, about }): Completion[] =>
      used.has(name) ? [] : [{ label: printName(name), detail: about, boost: 50 }],
    );
    if (word && word.name !== "" && isFree(word.name)) options.push(toNewAgent(word.name, onNewAgent));
    return { from: word?.from ?? pos, to: word?.to ?? pos, options };
  };

const toNewAgent = (name: string, onNewAgent: (name: string) => void): Completion => ({
  label: printName(name),
  detail: "New agent",
  boost: -99,
  apply(view, _, start, end) {
    const insert = printName(name);
    view.dispatch({ changes: { from: start, to: end, insert }, selection: { anchor: start + insert.length } });
    onNewAgent(name);
  },
});
