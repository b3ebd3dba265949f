import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { completeFlowFile, type Vocabulary } from "./completion";

/** What helps while somebody works in the text: completions, brackets, finding and replacing. */
export const typingHelp = (vocabulary: () => Vocabulary): Extension => [
  autocompletion({ override: [completeFlowFile(vocabulary)] }),
  closeBrackets(),
  highlightSelectionMatches(),
  search({ top: true }),
  // Before the usual keys: Backspace takes away a pair of brackets.
  Prec.high(keymap.of(closeBracketsKeymap)),
  keymap.of([...searchKeymap, ...completionKeymap]),
];
