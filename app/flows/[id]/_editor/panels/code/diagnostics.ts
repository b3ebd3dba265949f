import type { Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { splitCode, toPlainMessage } from "@/app/_ui/text/split-code";
import type { Problem } from "@/lib/core/flow/problem";

/** The problems that have a place, each with its fix. */
export const toDiagnostics = (
  problems: readonly Problem[],
  applyFix: (problem: Problem, view: EditorView) => void,
): Diagnostic[] =>
  problems.flatMap((problem) => {
    const { range, severity, message, fix } = problem;
    if (!range) return [];
    const actions = fix ? [{ name: fix.title, apply: (view: EditorView) => applyFix(problem, view) }] : [];
    return [
      { ...range, severity, message: toPlainMessage(message), renderMessage: () => renderMessage(message), actions },
    ];
  });

function renderMessage(message: string): HTMLElement {
  const element = document.createElement("span");
  for (const { text, isCode } of splitCode(message)) {
    const part = isCode ? document.createElement("code") : document.createTextNode("");
    part.textContent = text;
    element.append(part);
  }
  return element;
}
