import { Prec } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";

/** For a text whose history is that of the whole editor. */
export function historyKeys(undo: (view: EditorView) => void, redo: (view: EditorView) => void) {
  const bind = (key: string, act: (view: EditorView) => void) => ({
    key,
    preventDefault: true,
    run: (view: EditorView) => {
      act(view);
      return true;
    },
  });
  return Prec.high(keymap.of([bind("Mod-z", undo), bind("Mod-y", redo), bind("Mod-Shift-z", redo)]));
}
