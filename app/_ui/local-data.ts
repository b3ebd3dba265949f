/** What this browser keeps of a user's work: unsaved changes, undo steps, drafts. Each account has its own. */
const ownerOfPage = (): string => {
  const user = globalThis.document?.documentElement.dataset.user;
  return user === undefined ? "" : `-${user}`;
};

/** The database and its table with unsaved changes and undo steps. */
export const localDatabase = (): [name: string, store: string] => [`swarmloom${ownerOfPage()}`, "editor"];

/** What the storage keys of drafts begin with: texts that were written and not sent. */
export const draftPrefix = (): string => `swarmloom.draft${ownerOfPage()}.`;

/** Where the inputs of runs were stored before they were drafts. */
const earlierInputPrefix = (): string => `swarmloom.run-input${ownerOfPage()}.`;

const signOutKey = (): string => `swarmloom.signed-out${ownerOfPage()}`;

/** Whether this page may keep anything: one that was open when its user signed out, in whatever tab, keeps nothing any more. */
export const keepsLocalData = (): boolean => Number(localStorage.getItem(signOutKey())) < performance.timeOrigin;

/** Deletes all of it. What a browser without storage has not kept needs no deleting. */
export async function forgetLocalData(): Promise<void> {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(draftPrefix()) || key.startsWith(earlierInputPrefix())) localStorage.removeItem(key);
    localStorage.setItem(signOutKey(), String(Date.now()));
    const { clear, createStore } = await import("idb-keyval");
    await clear(createStore(...localDatabase()));
  } catch {
    return;
  }
}
