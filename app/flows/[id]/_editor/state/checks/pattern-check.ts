import { loadPart } from "@/app/_ui/loading/load-part";
import type { CheckPattern } from "@/lib/core/flow/problem";

type LoadPatterns = () => Promise<{ findPatternMistake: CheckPattern }>;

const loadPatterns: LoadPatterns = () => loadPart(() => import("@/lib/core/condition/pattern"));

/** Loads the large pattern library on first use. Until then no pattern is reported; then `onReady` is called. */
export function createPatternCheck(onReady: () => void, load: LoadPatterns = loadPatterns): CheckPattern {
  let find: CheckPattern | null = null;
  let isRequested = false;
  const begin = async (): Promise<void> => {
    find = (await load()).findPatternMistake;
    onReady();
  };
  return (pattern) => {
    if (find) return find(pattern);
    if (!isRequested) void begin();
    isRequested = true;
    return null;
  };
}
