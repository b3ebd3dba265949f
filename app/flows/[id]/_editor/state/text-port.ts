import type { Range } from "@/lib/core/flow/text-range";

export type TextPort = ReturnType<typeof createTextPort>;

export function createTextPort() {
  let mounted: ((range: Range) => void) | null = null;
  let pending: Range | null = null;
  return {
    /** Selects a range of the text and focuses it, as soon as a text pane is mounted. */
    goTo(range: Range): void {
      if (mounted) mounted(range);
      else pending = range;
    },
    attach(goTo: (range: Range) => void): () => void {
      mounted = goTo;
      if (pending) goTo(pending);
      pending = null;
      return () => {
        if (mounted === goTo) mounted = null;
      };
    },
  };
}
