import { FlaskConical } from "lucide-react";

/** `isShort`: on a phone without its word. */
export function SimulatedBadge({ isShort = false }: { isShort?: boolean }) {
  return (
    <span
      title="No model was called"
      className="inline-flex h-5 shrink-0 items-center gap-1 rounded-full border border-line-strong border-dashed px-2 text-text-muted text-xs"
    >
      <FlaskConical size={12} aria-hidden />
      <span className={isShort ? "max-sm:sr-only" : ""}>Simulated</span>
    </span>
  );
}
