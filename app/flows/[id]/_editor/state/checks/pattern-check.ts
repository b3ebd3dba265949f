import { loadPart } from "@/app/_ui/loading/load-part";
import type { CheckPattern } from "@/lib/core/check/check-flow";

type LoadPatterns = () => Promise<{ findPatternMistake: CheckPattern }>;

const loadPatterns: LoadPatterns = () => loadPart(() => import("@/lib/core/condition/pattern"));

/**
 * Checks patterns. What reads them is large and few flows have one, so it comes when the first is met: until then nothing
 * is wrong with any, and `onReady` is called once it is there.
 */
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
