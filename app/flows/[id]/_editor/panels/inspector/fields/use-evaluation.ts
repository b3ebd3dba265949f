import { useEffect, useState } from "react";
import { loadPart } from "@/app/_ui/loading/load-part";
import type { evaluateCondition } from "@/lib/core/condition/evaluate";

export function useEvaluation(enabled: boolean): typeof evaluateCondition | null {
  const [evaluation, setEvaluation] = useState<{ evaluateCondition: typeof evaluateCondition } | null>(null);
  useEffect(() => {
    if (enabled) void loadPart(() => import("@/lib/core/condition/evaluate")).then(setEvaluation);
  }, [enabled]);
  return evaluation?.evaluateCondition ?? null;
}
