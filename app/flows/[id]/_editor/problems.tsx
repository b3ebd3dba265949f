"use client";

import { CircleAlert, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import { Button } from "@/app/_ui/button";
import type { Problem, Severity } from "@/lib/core/flow/problem";
import type { Session } from "./session";
import { useEditorState, useSession } from "./session-context";

const looks: Record<Severity, { icon: LucideIcon; color: string; word: string }> = {
  error: { icon: CircleAlert, color: "text-danger", word: "Error" },
  warning: { icon: TriangleAlert, color: "text-warning", word: "Warning" },
  info: { icon: Info, color: "text-text-muted", word: "Note" },
};
const order: Record<Severity, number> = { error: 0, warning: 1, info: 2 };
/** More would only hide the first. */
const mostShown = 100;

/** What is wrong with the flow, worst first. A click goes to the place; a fix is one more click. */
export function Problems() {
  const problems = useEditorState((state) => state.problems);
  const sorted = problems.toSorted((a, b) => order[a.severity] - order[b.severity]);
  return (
    <section aria-label="Problems" className="flex max-h-[40%] shrink-0 flex-col border-t border-line">
      <h2 className="flex h-8 shrink-0 items-center gap-2 px-3 text-xs font-semibold">
        Problems
        <span className="rounded-full bg-surface-hover px-1.5 text-[11px] leading-4 tabular-nums">
          {problems.length}
        </span>
      </h2>
      {sorted.length === 0 ? (
        <p className="px-3 pb-3 text-xs text-text-muted">Nothing is wrong. The flow can run.</p>
      ) : (
        <ul className="min-h-0 overflow-y-auto pb-1">
          {sorted.slice(0, mostShown).map((problem) => (
            <ProblemRow key={`${problem.code} ${problem.range?.from} ${problem.message}`} problem={problem} />
          ))}
          {sorted.length > mostShown && (
            <li className="px-3 py-1 text-xs text-text-muted">and {sorted.length - mostShown} more</li>
          )}
        </ul>
      )}
    </section>
  );
}

function ProblemRow({ problem }: { problem: Problem }) {
  const session = useSession();
  const { icon: Icon, color, word } = looks[problem.severity];
  return (
    <li className="flex items-start gap-2 px-3 py-1 hover:bg-surface-hover">
      <Icon size={14} role="img" aria-label={word} className={`mt-0.5 shrink-0 ${color}`} />
      <button
        type="button"
        className="min-w-0 flex-1 text-left text-xs leading-4"
        onClick={() => goTo(problem, session)}
      >
        {problem.message}
      </button>
      <div className="flex max-w-1/2 flex-col gap-1">
        {problem.fix && (
          <Button size="small" onClick={() => session.editor.applyFix(problem)}>
            {problem.fix.title}
          </Button>
        )}
        {problem.repairs?.map(({ title, edit }) => (
          <Button key={title} size="small" onClick={() => session.commands.edit(edit)}>
            {title}
          </Button>
        ))}
      </div>
    </li>
  );
}

/** Shows where a problem is: its node on the canvas, its place in the text. */
export function goTo(problem: Problem, { editor, view }: Session): void {
  const { arrangement } = editor.store.getState();
  const key = problem.nodes?.find((candidate) => arrangement.nodes.some((node) => node.key === candidate));
  if (key !== undefined) {
    editor.select([key]);
    editor.reveal(key);
  }
  const narrowPane = key === undefined ? "text" : "canvas";
  if (problem.range) view.setState({ textOpen: true, goTo: { ...problem.range }, narrowPane });
}
