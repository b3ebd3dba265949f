import type { TextRange } from "@/lib/core/flow/text-range";

export interface TextPort {
  /** Selects a range of the text and focuses it, as soon as a text pane is mounted. */
  goTo(range: TextRange): void;
  attach(goTo: (range: TextRange) => void): () => void;
}

export function createTextPort(): TextPort {
  let mounted: ((range: TextRange) => void) | null = null;
  let pending: TextRange | null = null;
  return {
    goTo(range) {
      if (mounted) mounted(range);
      else pending = range;
    },
    attach(goTo) {
      mounted = goTo;
      if (pending) goTo(pending);
      pending = null;
      return () => {
        if (mounted === goTo) mounted = null;
      };
    },
  };
}
