import type { Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
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
    return [{ ...range, severity, message, actions }];
  });
