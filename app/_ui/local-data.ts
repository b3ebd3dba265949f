/** What this browser keeps of a user's work: unsaved changes, undo steps, inputs of runs. Each account has its own. */
const ownerOfPage = (): string => {
  const user = globalThis.document?.documentElement.dataset.user;
  return user === undefined ? "" : `-${user}`;
};

/** The database and its table with unsaved changes and undo steps. */
export const localDatabase = (): [name: string, store: string] => [`swarmloom${ownerOfPage()}`, "editor"];

const inputPrefix = (): string => `swarmloom.run-input${ownerOfPage()}.`;

/** Where the last input of the runs of a flow is stored. */
export const runInputKey = (flowId: string): string => `${inputPrefix()}${flowId}`;

/** Deletes all of it. What a browser without storage has not kept needs no deleting. */
export async function forgetLocalData(): Promise<void> {
  try {
    const { clear, createStore } = await import("idb-keyval");
    await clear(createStore(...localDatabase()));
    for (const key of Object.keys(localStorage)) if (key.startsWith(inputPrefix())) localStorage.removeItem(key);
  } catch {
    return;
  }
}
