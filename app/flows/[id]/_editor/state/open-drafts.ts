import { createStore, type StoreApi } from "zustand/vanilla";

/** Fields whose text differs from the flow: typed, but not committed yet. */
export interface OpenDrafts {
  store: StoreApi<{ count: number }>;
  /** Registers a draft with the function that commits it; the returned function removes it. */
  open(commit: () => void): () => void;
  /** Commits every open draft, as leaving its field would. A draft that is refused stays open. */
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
