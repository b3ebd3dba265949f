/** A worker on the PostgreSQL database of DATABASE_URL, which takes runs from Graphile Worker and drives them. */
import { openRunStore } from "@/lib/server/db";
import { getDatabaseLocation } from "@/lib/server/env";
import { Executor } from "@/lib/server/runs/drive/executor";
import { JobConsumer } from "@/lib/server/runs/queue/job-consumer";
import { openCurrentDatabase } from "@/lib/server/start";
import { chainContext, concurrentRuns } from "./chain-runs";

const location = getDatabaseLocation();
if (location.type !== "postgresql") throw new Error("DATABASE_URL must name a PostgreSQL database");
const db = await openCurrentDatabase();
globalThis.swarmloomDb = Promise.resolve(db);
globalThis.swarmloomRunStore = openRunStore(location);
const concurrency = concurrentRuns / 2;
const executor = new Executor(db, { concurrency, context: chainContext });
executor.start();
await new JobConsumer({ url: location.url, concurrency, drive: () => executor.take() }).start();
process.on("disconnect", () => process.exit());
process.send?.("ready");
