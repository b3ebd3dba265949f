import { TriangleAlert } from "lucide-react";
import { countNouns } from "@/lib/core/flow/format-count";
import type { WarningCode } from "@/lib/core/run/events/warnings";

export const warningLabels: Record<WarningCode, string> = {
  "answer-cut": "Answer truncated",
  "content-filtered": "Content filtered",
  "tool-call-in-text": "Tool call in text",
  "message-not-delivered": "Message not delivered",
  "step-limit": "Step limit reached",
};

export function WarningBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="inline-flex h-5 shrink-0 items-center gap-1 rounded-full bg-warning-soft px-2 font-medium text-warning text-xs">
      <TriangleAlert size={12} aria-hidden />
      {countNouns(count, "warning")}
    </span>
  );
}
