import { CircleAlert, TriangleAlert } from "lucide-react";
import { countNouns } from "@/lib/core/flow/format-count";

export function ProblemMark({ errors, warnings }: { errors: number; warnings: number }) {
  if (errors + warnings === 0) return null;
  const severe = errors > 0;
  const label = severe ? countNouns(errors, "error") : countNouns(warnings, "warning");
  const Icon = severe ? CircleAlert : TriangleAlert;
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`ml-auto shrink-0 ${severe ? "text-danger" : "text-warning"}`}
    >
      <Icon size={14} aria-hidden />
    </span>
  );
}
