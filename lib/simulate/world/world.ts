import type { RunContext } from "@/lib/core/run/ports/run-context";
import { createSimulatedRunStore } from "../store/simulated-run-store";
import { SimulatedStore } from "../store/simulated-store";
import type { Random } from "../time/random";
import { Timeline } from "../time/timeline";
import { Bus } from "./bus";
import type { FaultKind } from "./fault-kinds";
import type { ClientSlot, Laboratory } from "./laboratory";
import { SimulatedProcess } from "./simulated-process";

/** Which services the processes have, and what their runs reach outside. */
export interface ServiceOptions {
  drivesRuns: boolean;
  runsSchedules: boolean;
  concurrency: number;
}

/** What runs reach outside, but time. */
export type RunPorts = Pick<RunContext, "models" | "tools" | "random">;

const noPorts: RunPorts = { models: { find: () => null }, tools: { find: () => null }, random: () => 0 };

/** A rule of the product was broken. */
export class Violation extends Error {
  override name = "Violation";
}

/** A part of what the product does: its users, what they see, and what must hold. */
export interface Workload {
  readonly services: Partial<ServiceOptions>;
  /** Lets its users begin. */
  start(): void;
  /** How long faults happen, in simulated milliseconds. Missing: a random time. */
  readonly durationMs?: number;
  /** Which kinds of faults may happen, of those that were drawn. Missing: all. */
  chooseFaults?(kinds: readonly FaultKind[]): readonly FaultKind[];
  /** How long all takes to become quiet, in simulated milliseconds. */
  readonly settleMs: number;
  /** Faults are over; its users end what they do. */
  settle(): void;
  /** Called for each server a little later. */
  onSettled?(process: SimulatedProcess): void;
  /** Called after each event that may have changed the store. Throws Violation. */
  check(): void;
  /** Whether nothing is under way any more. Missing: it takes the whole time. */
  isQuiet?(): boolean;
  /** Called once all is quiet. Throws Violation. */
  checkEnd(): void;
}

/** One simulation: servers with one store and one bus, under simulated time. */
export class World {
  readonly timeline = new Timeline();
  readonly store: SimulatedStore;
  readonly bus: Bus;
  /** The newest life of each server. */
  readonly processes: SimulatedProcess[] = [];
  readonly #lives: number[] = [];
  services: ServiceOptions = { drivesRuns: false, runsSchedules: false, concurrency: 4 };
  /** What the runs of a process reach outside. */
  runPortsOf: (process: SimulatedProcess) => RunPorts = () => noPorts;

  constructor(
    readonly laboratory: Laboratory,
    readonly random: Random,
    /** Receives what happens, in words. Null: no one reads it. */
    private readonly onTrace: ((line: string) => void) | null,
  ) {
    const { database } = laboratory;
    this.store = new SimulatedStore(database, this.timeline, random, { slowChance: 0, maxSlowMs: 0, lossChance: 0 });
    this.bus = new Bus(this.timeline, random, { repeatChance: 0, maxDelayMs: 3 });
  }

  /** The first rule that was broken by what processes did; null: none. */
  violation: Violation | null = null;

  /** Notes that a rule was broken, where nothing may be thrown. */
  fail(message: string): void {
    this.violation ??= new Violation(message);
  }

  trace(subject: string, text: () => string): void {
    this.onTrace?.(`${this.timeline.now.toFixed(2).padStart(10)} ${subject.padEnd(4)} ${text()}`);
  }

  get livingProcesses(): SimulatedProcess[] {
    return this.processes.filter(({ isAlive, program }) => isAlive && program !== null);
  }

  /** Starts a server for the first time, or again after its process has died. */
  startServer(index: number): void {
    const life = (this.#lives[index] ?? 0) + 1;
    this.#lives[index] = life;
    const process = new SimulatedProcess(`${"ABC"[index]}${life}`, this.timeline);
    this.processes[index] = process;
    this.timeline.schedule(0, process, () => this.#load(process, index));
  }

  #load(process: SimulatedProcess, index: number): void {
    const slot: ClientSlot | undefined = this.laboratory.slots[index];
    if (!slot) throw new Error(`expected at most ${this.laboratory.slots.length} servers, found number ${index + 1}`);
    const access = { store: this.store, client: process };
    slot.adapter.access = access;
    this.trace(process.name, () => "starts");
    process.program = this.laboratory.loadProgram()({
      db: slot.db,
      runStore: createSimulatedRunStore(access),
      notes: { send: (kind, id) => this.bus.send(process, kind, id) },
      log: { write: (line) => this.#traceLog(process, line) },
      ...this.services,
      context: this.runPortsOf(process),
    });
    this.bus.add(process);
    void process.program.saveUnsaved();
  }

  #traceLog(process: SimulatedProcess, line: string): void {
    this.trace(process.name, () => {
      const { msg, err }: { msg?: string; err?: { message?: string } } = JSON.parse(line);
      return `log: ${msg}${err ? ` (${err.message})` : ""}`;
    });
  }

  kill(index: number): void {
    const process = this.processes[index];
    if (!process?.isAlive) return;
    this.trace(process.name, () => "is killed");
    this.bus.remove(process);
    process.kill();
    // What its code does about the loss of its statements belongs to it, too.
    this.timeline.current = process;
    this.store.forget(process);
  }

  freeze(index: number, durationMs: number): void {
    const process = this.processes[index];
    if (!process?.isAlive) return;
    this.trace(process.name, () => `is frozen for ${durationMs.toFixed(0)} ms`);
    process.freeze(durationMs);
  }

  /** A server reaches neither the store nor the bus for a while. */
  cutOff(index: number, durationMs: number): void {
    const process = this.processes[index];
    if (!process?.isAlive) return;
    this.trace(process.name, () => `is cut off for ${durationMs.toFixed(0)} ms`);
    this.store.cutOff(process, durationMs);
    this.bus.cutOff(process, durationMs);
  }
}
