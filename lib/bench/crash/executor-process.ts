/**
 * An executor in a process of its own, which the crash suite freezes and kills. It opens the database at once and starts
 * with the first message of its parent. Arguments: the origin of the `OutsideServer`, the duration of a lease and the
 * interval of heartbeats in milliseconds.
 */
import { openRunStore } from "@/lib/server/db";
import { getDatabaseLocation } from "@/lib/server/env";
import { Executor } from "@/lib/server/runs/drive/executor";
import { openCurrentDatabase } from "@/lib/server/start";
import { toOutsideContext } from "./outside-ports";

const [origin = "", leaseMs, heartbeatMs] = process.argv.slice(2);
const db = await openCurrentDatabase();
const store = openRunStore(getDatabaseLocation());
globalThis.swarmloomDb = Promise.resolve(db);
let hasWritten = false;
globalThis.swarmloomRunStore = {
  ...store,
  write: async (write) => {
    const isWritten = await store.write(write);
    if (isWritten && !hasWritten) process.send?.("wrote");
    hasWritten ||= isWritten;
    return isWritten;
  },
};
const context = toOutsideContext(origin);
const executor = new Executor(db, {
  concurrency: 16,
  context,
  leaseMs: Number(leaseMs),
  heartbeatMs: Number(heartbeatMs),
});
process.on("message", () => executor.start());
process.on("disconnect", () => process.exit());
process.send?.("ready");
