import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { declaredNames } from "@/lib/core/kinds/members";
import type { Session } from "../../state/session";
import { completeFlowFile, type Vocabulary } from "./completion";

export const typingHelp = (session: Session): Extension => [
  autocompletion({ override: [completeFlowFile(() => toVocabulary(session))] }),
  closeBrackets(),
  highlightSelectionMatches(),
  search({ top: true }),
  // Before the default keys, so that Backspace deletes a pair of brackets.
  Prec.high(keymap.of(closeBracketsKeymap)),
  keymap.of([...searchKeymap, ...completionKeymap]),
];

function toVocabulary({ editor, seed: { providers, tools } }: Session): Vocabulary {
  const { flow } = editor.store.getState();
  return {
    names: declaredNames(flow),
    vars: [...flow.vars.keys()],
    models: providers.flatMap(({ id, models }) => models.map((model) => `${id}:${model}`)),
    tools,
  };
}
