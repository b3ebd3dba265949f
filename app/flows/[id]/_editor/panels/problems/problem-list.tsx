import { CircleAlert, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { MessageText } from "@/app/_ui/text/message-text";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import { mistakesOf, type Problem, type Severity } from "@/lib/core/flow/problem";
import { goToProblem } from "../../commands/problem-commands";
import { countProblems, fixesLike, problemId, sortProblems } from "../../commands/problem-order";
import { useEditorState, useSession, useView } from "../../state/session-context";
import { MissingKeyFixes } from "./missing-key";

const severityStyles: Record<Severity, { icon: LucideIcon; color: string; word: string }> = {
  error: { icon: CircleAlert, color: "text-danger", word: "Error" },
  warning: { icon: TriangleAlert, color: "text-warning", word: "Warning" },
  info: { icon: Info, color: "text-text-muted", word: "Note" },
};
const severities = ["error", "warning", "info"] as const;
const mostShown = 100;

export default function ProblemList() {
  const problems = mistakesOf(useEditorState((state) => state.problems));
  const [only, setOnly] = useState<Severity | null>(null);
  const counts = countProblems(problems);
  const filter = only !== null && counts[only] > 0 ? only : null;
  const shownProblems = sortProblems(problems).filter(({ severity }) => filter === null || severity === filter);
  return (
    <>
      <div className="flex h-8 shrink-0 items-center gap-1 px-3">
        <h2 className="mr-auto text-xs font-semibold">Problems</h2>
        {severities.map(
          (severity) =>
            counts[severity] > 0 && (
              <Filter
                key={severity}
                severity={severity}
                count={counts[severity]}
                pressed={filter === severity}
                onPress={() => setOnly(filter === severity ? null : severity)}
              />
            ),
        )}
      </div>
      <ul className="min-h-0 overflow-y-auto pb-1">
        {shownProblems.slice(0, mostShown).map((problem) => (
          <ProblemRow key={problemId(problem)} problem={problem} />
        ))}
        {shownProblems.length > mostShown && (
          <li className="px-3 py-1 text-xs text-text-muted">
            and {formatCount(shownProblems.length - mostShown)} more
          </li>
        )}
      </ul>
    </>
  );
}

interface FilterProps {
  severity: Severity;
  count: number;
  pressed: boolean;
  onPress(): void;
}

function Filter({ severity, count, pressed, onPress }: FilterProps) {
  const { icon: Icon, color, word } = severityStyles[severity];
  const label = countNouns(count, word.toLowerCase());
  return (
    <button
      type="button"
      aria-label={`Only ${label}`}
      aria-pressed={pressed}
      title={`Show only ${label}`}
      onClick={onPress}
      className="flex h-6 min-w-6 items-center gap-1 rounded-md px-1.5 text-[11px] tabular-nums hover:bg-surface-hover aria-pressed:bg-surface-selected"
    >
      <Icon size={12} aria-hidden className={color} />
      {formatCount(count)}
    </button>
  );
}

function ProblemRow({ problem }: { problem: Problem }) {
  const session = useSession();
  const isCurrent = useView((view) => view.problem === problemId(problem));
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  const { icon: Icon, color, word } = severityStyles[problem.severity];
  return (
    <li
      ref={row}
      aria-current={isCurrent || undefined}
      className="flex items-start gap-2 px-3 py-1 hover:bg-surface-hover aria-current:bg-surface-selected"
    >
      <Icon size={14} role="img" aria-label={word} className={`mt-0.5 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1">
        <button
          type="button"
          className="w-full text-left text-xs leading-4"
          onClick={() => goToProblem(problem, session)}
        >
          <MessageText text={problem.message} />
        </button>
        <Fixes problem={problem} />
      </div>
    </li>
  );
}

function Fixes({ problem }: { problem: Problem }) {
  const { editor, actions, access } = useSession();
  const problems = useEditorState((state) => state.problems);
  const alike = problem.fix ? fixesLike(problems, problem) : [];
  if (!access.mayEdit) return null;
  return (
    <div className="flex flex-wrap gap-1 py-1 empty:hidden">
      {problem.fix && (
        <Button size="small" onClick={() => editor.applyFix(problem)}>
          {problem.fix.title}
        </Button>
      )}
      {alike.length > 1 && (
        <Button size="small" variant="ghost" onClick={() => editor.applyFix(...alike)}>
          Fix all {alike.length} of this kind
        </Button>
      )}
      {problem.code === "missing-key" && <MissingKeyFixes problem={problem} />}
      {problem.repairs?.map(({ title, edit }) => (
        <Button key={title} size="small" onClick={() => actions.edit(edit)}>
          {title}
        </Button>
      ))}
    </div>
  );
}
