import "server-only";
import { EventEmitter } from "node:events";
import { tellProcesses } from "./tell-processes";

declare global {
  var swarmloomRunEvents: EventEmitter | undefined;
}

const processEnd = Symbol.for("swarmloom.processEnd");

/** One for all bundles of a process. */
function emitter(): EventEmitter {
  globalThis.swarmloomRunEvents ??= new EventEmitter().setMaxListeners(0);
  return globalThis.swarmloomRunEvents;
}

/** Wakes the readers of the run's events. The events themselves are in the database. */
export const notifyRun = (runId: string): void => {
  wakeReaders([runId]);
  tellProcesses("written", runId);
};

/** Wakes the readers of runs in this process; without ids those of all. */
export const wakeReaders = (runIds?: readonly string[]): void => {
  const events =
    runIds ??
    emitter()
      .eventNames()
      .filter((event) => event !== processEnd);
  for (const event of events) emitter().emit(event);
};

/** Ends the readers of all runs once they have what is stored: this process stops. */
export const endReaders = (): void => {
  emitter().emit(processEnd);
};

/** Calls `listener` when this process stops; returns how to stop listening. */
export function onReadersEnd(listener: () => void): () => void {
  emitter().on(processEnd, listener);
  return () => emitter().off(processEnd, listener);
}

/** Calls `listener` after each write to the run; returns how to stop. */
export function onRunWritten(runId: string, listener: () => void): () => void {
  emitter().on(runId, listener);
  return () => emitter().off(runId, listener);
}
