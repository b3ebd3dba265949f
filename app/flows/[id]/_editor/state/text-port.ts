import type { TextRange } from "@/lib/core/flow/text-range";

export function createTextPort() {
  let mounted: ((range: TextRange) => void) | null = null;
  let pending: TextRange | null = null;
  return {
    /** Selects a range of the text and focuses it, as soon as a text pane is mounted. */
    goTo(range: TextRange): void {
      if (mounted) mounted(range);
      else pending = range;
    },
    attach(goTo: (range: TextRange) => void): () => void {
      mounted = goTo;
      if (pending) goTo(pending);
      pending = null;
      return () => {
        if (mounted === goTo) mounted = null;
      };
    },
  };
}
