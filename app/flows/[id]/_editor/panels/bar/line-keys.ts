import { closeBracketsKeymap, closeCompletion } from "@codemirror/autocomplete";
import { redo, redoDepth, standardKeymap, undo, undoDepth } from "@codemirror/commands";
import type { Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import type { Fix, Problem } from "@/lib/core/flow/problem";
import type { Editor } from "../../state/editor/editor";
import { toDiagnostics } from "../code/diagnostics";
import { historyKeys } from "../code/history-keys";
import type { FlowBar } from "./flow-bar";
import { displayField } from "./line-display";

/** Undo first reverts what was typed and not applied yet, then the edits of the editor. */
export function lineKeys(editor: Pick<Editor, "undo" | "redo">, bar: Pick<FlowBar, "apply" | "discard">) {
  const apply = (view: EditorView): true => {
    closeCompletion(view);
    bar.apply();
    return true;
  };
  return [
    historyKeys(
      (view) => (undoDepth(view.state) > 0 ? undo(view) : editor.undo()),
      (view) => (redoDepth(view.state) > 0 ? redo(view) : editor.redo()),
    ),
    keymap.of([
      { key: "Enter", run: apply, shift: apply },
      { key: "Escape", run: bar.discard },
      { key: "Mod-.", run: applyNextFix },
      ...closeBracketsKeymap,
      ...standardKeymap,
    ]),
  ];
}

export const oneLine = EditorState.transactionFilter.of((transaction) => {
  const { newDoc } = transaction;
  if (newDoc.lines === 1) return transaction;
  const ends = Array.from({ length: newDoc.lines - 1 }, (_, index) => newDoc.line(index + 1).to);
  return [transaction, { changes: ends.map((end) => ({ from: end, to: end + 1, insert: " " })), sequential: true }];
});

export const toLineDiagnostics = (problems: readonly Problem[]): Diagnostic[] =>
  toDiagnostics(problems, ({ fix }, view) => fix && applyFix(view, fix));

function applyNextFix(view: EditorView): boolean {
  const { problems } = view.state.field(displayField);
  const { head } = view.state.selection.main;
  const mendable = problems.filter(({ fix }) => fix);
  const problem = mendable.find(({ range }) => range && range.from <= head && head <= range.to) ?? mendable[0];
  if (!problem?.fix) return false;
  applyFix(view, problem.fix);
  return true;
}

const applyFix = (view: EditorView, { changes }: Fix): void =>
  view.dispatch({ changes, userEvent: "input.fix", scrollIntoView: true });
