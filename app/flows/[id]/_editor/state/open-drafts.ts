import { createStore, type StoreApi } from "zustand/vanilla";

export interface OpenDrafts {
  store: StoreApi<{ count: number }>;
  /** Returns the function that removes the draft. */
  open(commit: () => void): () => void;
  /** Rejected drafts stay open. */
  commitAll(): void;
}

export function createOpenDrafts(): OpenDrafts {
  const drafts = new Set<{ commit(): void }>();
  const store = createStore(() => ({ count: 0 }));
  const updateCount = (): void => store.setState({ count: drafts.size });
  return {
    store,
    open(commit) {
      const draft = { commit };
      drafts.add(draft);
      updateCount();
      return () => {
        drafts.delete(draft);
        updateCount();
      };
    },
    commitAll() {
      for (const { commit } of [...drafts]) commit();
    },
  };
}
