import "server-only";
import { availableParallelism } from "node:os";
import path from "node:path";
import type { Worker } from "node:worker_threads";
import { getProjectFolder } from "../env";
import type { TaskInput, TaskName, TaskOutput } from "./tasks";
import { type PoolTask, WorkerPool } from "./worker-pool";

type TaskOptions = Pick<PoolTask, "client" | "deadlineMs" | "signal" | "isPatient" | "isLong">;

declare global {
  /** The bundle that threads run, where the commands are one (lib/cli/main.ts). */
  var swarmloomThreadScript: string | undefined;
  /** Global because the bundles of a process share its threads. */
  var swarmloomThreads: { run<Name extends TaskName>(task: NamedTask<Name>): Promise<TaskOutput<Name>> } | undefined;
}

interface NamedTask<Name extends TaskName> extends TaskOptions {
  name: Name;
  input: TaskInput<Name>;
}

/**
 * Runs a task that may take long for its input in another thread, so that the event loop stays free. Its deadline does not
 * count the time that it waits. Rejects with what the task throws, a CostError, a BusyError, or the reason of the signal.
 */
export function runTask<Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
  options: TaskOptions,
): Promise<TaskOutput<Name>> {
  globalThis.swarmloomThreads ??= openThreads();
  return globalThis.swarmloomThreads.run({ name, input, ...options });
}

function openThreads(): NonNullable<typeof globalThis.swarmloomThreads> {
  const pool = new WorkerPool({
    createThread,
    maxThreads: Math.max(2, Math.min(4, availableParallelism() - 1)),
    maxWaiting: 200,
    idleMs: 60_000,
    // Starting a thread takes longer than most tasks.
    keptThreads: 1,
  });
  return { run: ({ name, input, ...options }) => pool.run({ ...options, message: { name, input } }) };
}

/** The memory of a thread: a task that needs more ends with its thread, not with the process. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

function createThread(): Worker {
  // Not imported: the bundler of pages would take each script for one of its own, and bundle it.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const { swarmloomThreadScript: bundle } = globalThis;
  if (bundle !== undefined) return new Worker(bundle, { resourceLimits, execArgv: [] });
  // In a checkout: tests, and `npm run dev`.
  const source = path.join(getProjectFolder(), "lib/server/cpu-worker/start-from-sources.mjs");
  return new Worker(source, { resourceLimits, execArgv: ["--conditions=react-server"] });
}
