import "server-only";
import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { createRequire } from "node:module";
import { logger } from "../log/logger";
import { getMetrics } from "./metrics";

/** Work that is seen when it holds the event loop. */
export interface LoopWork {
  /** A request's method and route without ids; `run`, `live flow`, `services` or `other`. */
  route: string;
  /** Only for the log, e.g. the id of a run. */
  id?: string;
}

/** A callback that held the event loop, or many in a row that left no turn to timers and sockets. */
export interface LoopHold {
  /** Processor time of this process meanwhile, in milliseconds. */
  heldMs: number;
  /** Modules that were loaded meanwhile or up to a second before: the first use of a page loads its code. */
  loadedModules: number;
  /** How many callbacks held it. */
  callbacks: number;
}

declare global {
  /** Global because the bundles of a process share it. */
  var swarmloomLoopWork: AsyncLocalStorage<LoopWork> | undefined;
}

const getWork = (): AsyncLocalStorage<LoopWork> => {
  globalThis.swarmloomLoopWork ??= new AsyncLocalStorage();
  return globalThis.swarmloomLoopWork;
};

/** Performs work, and everything that follows from it later, under its name. */
export const asLoopWork = <Result>(work: LoopWork, perform: () => Result): Result => getWork().run(work, perform);

/** Work that holds the event loop longer is reported, in milliseconds: nothing else is answered meanwhile. */
const reportedMs = 100;
/** Timers that are later are reported, whatever made them late: thousands of short callbacks hold the event loop as one does. */
const reportedLatenessMs = 1_000;
const sampleMs = 20;
const moduleSampleMs = 1_000;

const moduleCache = createRequire(import.meta.url).cache;
const countModules = (): number => Object.keys(moduleCache).length;

/**
 * Reports each callback that held the event loop for over 100 ms, in the log and as a metric, with the work that it belongs
 * to; and callbacks that are shorter each, but together made timers late by over a second, with the work of the last one.
 * Time in which this process had no processor does not count. Returns what ends the watch.
 */
export function watchLoopHolds(report = reportHold): () => void {
  /** Processor time, asked for at most each 20 ms: a callback that began later has used no more than since then. */
  let sample = takeSample();
  /** When timers had their turn last, and what was not reported since. */
  let lastTurn = { ...sample, callbacks: 0 };
  const beginTurn = (): void => {
    sample = takeSample();
    lastTurn = { ...sample, callbacks: 0 };
  };
  const sampler = setInterval(beginTurn, sampleMs).unref();
  let modules = countModules();
  const moduleSampler = setInterval(() => {
    modules = countModules();
  }, moduleSampleMs).unref();
  const reportSince = (heldMs: number, callbacks: number): void => {
    const hold = { heldMs: Math.round(heldMs), loadedModules: countModules() - modules, callbacks };
    beginTurn();
    report(hold, getWork().getStore() ?? { route: "other" });
  };
  // A callback may be inside of another one. Each reports what no inner one has reported.
  const starts: number[] = [];
  const hook = createHook({
    before: () => {
      const now = performance.now();
      if (starts.length === 0 && now - sample.at >= sampleMs) sample = takeSample();
      starts.push(now);
    },
    after: () => {
      const start = starts.pop();
      const now = performance.now();
      if (start === undefined) return;
      lastTurn.callbacks++;
      if (now - start >= reportedMs) {
        const heldMs = Math.min(now - start, cpuMsSince(sample.cpu));
        starts.fill(now);
        sample = takeSample();
        if (heldMs >= reportedMs) return reportSince(heldMs, 1);
      }
      if (now - lastTurn.at < reportedLatenessMs) return;
      const heldMs = Math.min(now - lastTurn.at, cpuMsSince(lastTurn.cpu));
      if (heldMs >= reportedLatenessMs) reportSince(heldMs, lastTurn.callbacks);
    },
  }).enable();
  return () => {
    hook.disable();
    clearInterval(sampler);
    clearInterval(moduleSampler);
  };
}

const takeSample = (): { at: number; cpu: NodeJS.CpuUsage } => ({ at: performance.now(), cpu: process.cpuUsage() });

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function reportHold(hold: LoopHold, { route, id }: LoopWork): void {
  getMetrics().loopHolds.inc({ route: limitRoutes(route) });
  logger.warn({ route, id, ...hold }, "the event loop was held");
}

/** Routes that the metric tells apart: addresses that do not exist are requested, too. */
const maxRoutes = 200;
const routes = new Set<string>();

function limitRoutes(route: string): string {
  if (routes.size < maxRoutes) routes.add(route);
  return routes.has(route) ? route : "other";
}

/** Words of addresses. Ids and tokens contain other letters, or are longer. */
const word = /^(?:[a-z]{1,20}(?:-[a-z]{1,20}){0,3}(?:\.[a-z]{1,5})?|v1)$/;

/** The method and the address of a request, with a placeholder for everything that names an object. */
export function toRoute(method: string, pathname: string): string {
  const segments = pathname.split("/").slice(1, 9);
  return `${method} /${segments.map((segment) => (word.test(segment) || segment === "" ? segment : ":id")).join("/")}`;
}
