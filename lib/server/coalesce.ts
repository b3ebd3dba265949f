import "server-only";

/**
 * `work` as a function that runs once at a time: a call during a run has one more run follow it, however many calls there
 * are. Resolves when a run that began with the call, or after it, has ended. Never rejects: failures go to `onFailure`.
 */
export function coalesce(work: () => Promise<void>, onFailure: (error: unknown) => void): () => Promise<void> {
  let current: Promise<void> | null = null;
  let following: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    current = work()
      .catch(onFailure)
      .finally(() => {
        current = null;
      });
    return current;
  };
  return () => {
    if (following) return following;
    if (!current) return begin();
    following = current.then(() => {
      following = null;
      return begin();
    });
    return following;
  };
}
