import { CircleAlert, CircleCheck, type LucideIcon, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { countNouns } from "@/lib/core/flow/format-count";
import { useEditorState, useSession } from "../../state/session-context";
import { openProblems } from "../problems/open-problems";
import { type ProblemTone, summarizeProblems } from "../problems/summarize-problems";

const toneStyles: Record<ProblemTone, { icon: LucideIcon; color: string }> = {
  success: { icon: CircleCheck, color: "text-success" },
  warning: { icon: TriangleAlert, color: "text-warning" },
  danger: { icon: CircleAlert, color: "text-danger" },
};

/** How many problems the flow has, where the bar is wide enough also how many agents. On a phone the header has them. */
export function BarSummary() {
  const session = useSession();
  const agents = useEditorState(({ flow }) => flow.agents.size);
  const problems = useEditorState((state) => state.problems);
  const { text, tone } = summarizeProblems(problems);
  useSpokenChange(text);
  if (agents === 0) return null;
  const { icon: Icon, color } = toneStyles[tone];
  const style = `flex h-6 items-center gap-1 whitespace-nowrap font-medium ${color}`;
  return (
    <div className="flex shrink-0 items-center gap-2 text-xs tabular-nums max-md:hidden">
      <span className="hidden border-line border-r pr-2 text-text-muted @2xl:inline">
        {countNouns(agents, "agent")}
      </span>
      {tone === "success" ? (
        <span className={style}>
          <Icon size={14} aria-hidden /> {text}
        </span>
      ) : (
        <button
          type="button"
          data-hint="Show the problems"
          onClick={() => openProblems(session)}
          className={`-mx-1 rounded px-1 hover:bg-surface-hover ${style}`}
        >
          <Icon size={14} aria-hidden /> {text}
        </button>
      )}
    </div>
  );
}

/** Longer than between two keys, so that half a word is not announced. */
const settleMs = 1000;

/** Announces a text when it has changed and stays. */
function useSpokenChange(text: string): void {
  const { announcer } = useSession();
  const spoken = useRef(text);
  useEffect(() => {
    if (spoken.current === text) return;
    const timer = setTimeout(() => {
      spoken.current = text;
      announcer.announce("problems", text);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [announcer, text]);
}
