import { webcrypto } from "node:crypto";
import type { Random } from "./random";
import { real } from "./real-clocks";
import type { Handle, Timeline } from "./timeline";

/** The simulation whose time and randomness this thread has now; null: the real ones. */
let active: { timeline: Timeline; random: Random } | null = null;

/** 2027-01-04, a Monday. */
export const simulatedEpoch = Date.UTC(2027, 0, 4);

const now = (): number => (active ? simulatedEpoch + Math.floor(active.timeline.now) : real.Date.now());

class SimulatedDate extends real.Date {
  constructor(...parts: unknown[]) {
    super(parts.length === 0 ? now() : Reflect.construct(real.Date, parts).getTime());
  }
  static override now = now;
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.toString.call(value) === "[object Date]";
  }
}

/** A timer of a simulated process, which may be cancelled as those of the platform. */
class SimulatedTimer {
  constructor(
    private readonly start: () => Handle,
    private handle = start(),
  ) {}
  unref(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  hasRef(): boolean {
    return false;
  }
  refresh(): this {
    this.handle.cancel();
    this.handle = this.start();
    return this;
  }
  /** For timers that repeat: the next turn. */
  replace(handle: Handle): void {
    this.handle = handle;
  }
  cancel(): void {
    this.handle.cancel();
  }
}

type Callback = (...args: unknown[]) => void;

const isFaked = (): boolean => active !== null && active.timeline.current !== null;

function setSimulated(delayMs: number, act: () => void): SimulatedTimer {
  const timeline = active?.timeline;
  if (!timeline) throw new Error("expected a simulation, found none");
  const owner = timeline.current;
  return new SimulatedTimer(() => timeline.schedule(delayMs, owner, act));
}

const toDelay = (delayMs: unknown): number => Math.max(1, Number(delayMs) || 0);

function setSimulatedInterval(callback: Callback, delayMs: number, args: unknown[]): SimulatedTimer {
  const timer: SimulatedTimer = setSimulated(delayMs, function repeat(): void {
    const timeline = active?.timeline;
    if (timeline) timer.replace(timeline.schedule(delayMs, timeline.current, repeat));
    callback(...args);
  });
  return timer;
}

const cancel =
  (cancelReal: (timer: never) => void) =>
  (timer: unknown): void => {
    if (timer instanceof SimulatedTimer) timer.cancel();
    else Reflect.apply(cancelReal, globalThis, [timer]);
  };

/**
 * Replaces the clocks, timers and random numbers of this thread. They are the real ones as long as no simulation is active,
 * and for timers while no process is at work. Must be called before Yjs is loaded, which keeps its source of random numbers.
 */
export function installClocks(): void {
  Object.assign(globalThis, {
    Date: SimulatedDate,
    setTimeout: (callback: Callback, delayMs?: number, ...args: unknown[]) =>
      isFaked() ? setSimulated(toDelay(delayMs), () => callback(...args)) : real.setTimeout(callback, delayMs, ...args),
    clearTimeout: cancel(real.clearTimeout),
    setInterval: (callback: Callback, delayMs?: number, ...args: unknown[]) =>
      isFaked() ? setSimulatedInterval(callback, toDelay(delayMs), args) : real.setInterval(callback, delayMs, ...args),
    clearInterval: cancel(real.clearInterval),
    setImmediate: (callback: Callback, ...args: unknown[]) =>
      isFaked() ? setSimulated(0, () => callback(...args)) : real.setImmediate(callback, ...args),
    clearImmediate: cancel(real.clearImmediate),
  });
  Math.random = () => (active ? active.random.next() : real.random());
  Object.defineProperty(performance, "now", {
    value: () => (active ? active.timeline.now : real.performanceNow()),
  });
  Object.defineProperty(webcrypto, "randomUUID", { value: randomUUID });
  Object.defineProperty(webcrypto, "getRandomValues", { value: getRandomValues });
}

/** As `randomUUID` of `node:crypto`. */
export const randomUUID = (): string => (active ? active.random.uuid() : real.randomUUID());

function getRandomValues<T extends Exclude<NodeJS.TypedArray, Float32Array | Float64Array>>(array: T): T {
  if (!active) return real.getRandomValues(array);
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(active.random.bytes(array.byteLength));
  return array;
}

/** `setTimeout` of `node:timers/promises`. */
export const sleep = <T>(delayMs: number, value: T, { signal }: { signal?: AbortSignal } = {}): Promise<T> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => resolve(value), delayMs);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** Lets this thread have the time and the random numbers of a simulation, or with null the real ones again. */
export function activate(simulation: { timeline: Timeline; random: Random } | null): void {
  active = simulation;
}
