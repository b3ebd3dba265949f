import dynamic from "next/dynamic";
import { loadPart } from "@/app/_ui/loading/load-part";
import { useEditorState } from "../../state/session-context";

export const loadProblemList = () => loadPart(() => import("./problem-list"));
const ProblemList = dynamic(loadProblemList, { ssr: false });

export function Problems() {
  const hasProblems = useEditorState(({ problems }) => problems.length > 0);
  return (
    <section aria-label="Problems" className="flex max-h-[40%] shrink-0 flex-col border-t border-line">
      {hasProblems ? (
        <ProblemList />
      ) : (
        <>
          <h2 className="h-8 px-3 font-semibold text-xs leading-8">Problems</h2>
          <p className="px-3 pb-3 text-text-muted text-xs">No problems. The flow can run.</p>
        </>
      )}
    </section>
  );
}
