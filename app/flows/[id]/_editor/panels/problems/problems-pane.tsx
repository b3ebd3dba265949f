import dynamic from "next/dynamic";
import { loadPart } from "@/app/_ui/loading/load-part";
import { mistakesOf } from "@/lib/core/flow/problem";
import { useEditorState } from "../../state/session-context";

export const loadProblemList = () => loadPart(() => import("./problem-list"));
const ProblemList = dynamic(loadProblemList, { ssr: false });

export function Problems() {
  const hasProblems = useEditorState(({ problems }) => mistakesOf(problems).length > 0);
  return (
    <section
      aria-label="Problems"
      className={hasProblems ? "flex max-h-[40%] shrink-0 flex-col border-line border-t" : "sr-only"}
    >
      {hasProblems ? <ProblemList /> : <NoProblems />}
    </section>
  );
}

export function NoProblems() {
  const isEmpty = useEditorState(({ flow }) => flow.agents.size === 0);
  return (
    <p className="text-text-muted text-xs">
      {isEmpty ? "No problems. The flow can run once it has an agent." : "No problems. The flow can run."}
    </p>
  );
}
