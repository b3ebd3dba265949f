import "server-only";
import type { RunStore } from "../../db";
import { waitForTurn } from "../../event-loop-turns";

/** The same store, which begins each write in a turn of its own: runs that never wait for anything else leave room for requests. */
export const toPatientStore = (store: RunStore): RunStore => ({
  async write(write) {
    await waitForTurn("run");
    return store.write(write);
  },
  close: () => store.close(),
});
