import { FlaskConical } from "lucide-react";
import { countNouns } from "@/lib/core/flow/format-count";

interface SimulatedBadgeProps {
  isShort?: boolean;
  /** How many agents of a run got simulated answers; missing: all. "some": how many is not known. */
  share?: { simulated: number; agents: number } | "some" | undefined;
}

export function SimulatedBadge({ isShort = false, share }: SimulatedBadgeProps) {
  const { label, title } = describeSimulated(share);
  return (
    <span
      title={title}
      className="inline-flex h-5 shrink-0 items-center gap-1 rounded-full border border-line-strong border-dashed px-2 text-text-muted text-xs"
    >
      <FlaskConical size={12} aria-hidden />
      <span className={isShort ? "max-sm:sr-only" : ""}>{label}</span>
    </span>
  );
}

export function describeSimulated(share: SimulatedBadgeProps["share"]): { label: string; title: string } {
  if (share === "some") return { label: "Partly simulated", title: "Some agents got simulated answers" };
  if (!share || share.simulated >= share.agents) return { label: "Simulated", title: "No model was called" };
  const { simulated, agents } = share;
  const title = `${countNouns(simulated, "agent")} got simulated answers; the others asked a model`;
  return { label: `${simulated} of ${agents} simulated`, title };
}
