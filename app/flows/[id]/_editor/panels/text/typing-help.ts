import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { completeFlowFile, type Vocabulary } from "./completion";

export const typingHelp = (vocabulary: () => Vocabulary): Extension => [
  autocompletion({ override: [completeFlowFile(vocabulary)] }),
  closeBrackets(),
  highlightSelectionMatches(),
  search({ top: true }),
  // Before the default keys, so that Backspace deletes a pair of brackets.
  Prec.high(keymap.of(closeBracketsKeymap)),
  keymap.of([...searchKeymap, ...completionKeymap]),
];
