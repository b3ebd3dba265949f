import { createStore } from "zustand/vanilla";

export function createOpenDrafts() {
  const drafts = new Set<{ commit(): void }>();
  const store = createStore(() => ({ count: 0 }));
  const updateCount = (): void => store.setState({ count: drafts.size });
  return {
    store,
    /** Returns the function that removes the draft. */
    open(commit: () => void): () => void {
      const draft = { commit };
      drafts.add(draft);
      updateCount();
      return () => {
        drafts.delete(draft);
        updateCount();
      };
    },
    /** Rejected drafts stay open. */
    commitAll(): void {
      for (const { commit } of [...drafts]) commit();
    },
  };
}
