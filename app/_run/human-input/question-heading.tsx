import type { LucideIcon } from "lucide-react";
import { showHidden } from "@/lib/core/flow/hidden-characters";
import type { OpenQuestion } from "@/lib/core/trace/model/trace-view";

/** A step, and what it asks. */
export interface WaitingStep {
  id: number;
  name: string;
  question: OpenQuestion;
}

export const QuestionHeading = ({ node, icon: Icon }: { node: WaitingStep; icon: LucideIcon }) => (
  <h3 className="flex items-center gap-2 font-semibold text-[13px]">
    <Icon size={14} aria-hidden className="text-warning" />
    <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{showHidden(node.question.message)}</span>
    <span className="ml-auto shrink-0 font-mono font-normal text-text-muted text-xs">{node.name}</span>
  </h3>
);
