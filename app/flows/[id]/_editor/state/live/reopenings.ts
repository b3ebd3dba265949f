/** Someone who writes with the ids of a user finds each new one. */
const maxReopenings = 3;
const forgetAfterMs = 60_000;

/** How often a document was opened anew lately. */
export function createReopenings() {
  let times: readonly number[] = [];
  return {
    /** Returns whether it may be opened once more. */
    take(): boolean {
      const now = performance.now();
      times = [...times.filter((time) => now - time < forgetAfterMs), now];
      return times.length <= maxReopenings;
    },
  };
}
