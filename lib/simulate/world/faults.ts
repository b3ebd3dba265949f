import type { Random } from "../time/random";
import { type FaultKind, faultKinds } from "./fault-kinds";
import type { World } from "./world";

interface PlannedFault {
  at: number;
  /** So many events of the server later: most of its time nothing happens in it. */
  events: number;
  /** Only those count in which the store adds rows of it: the answer is on its way then. */
  countsWrites: boolean;
  server: number;
  act: () => void;
}

/** Lets faults happen at random moments until `end`. */
export class FaultPlan {
  readonly kinds: ReadonlySet<FaultKind>;
  #planned: PlannedFault[] = [];

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly servers: number,
    { end, choose }: { end: number; choose(kinds: readonly FaultKind[]): readonly FaultKind[] },
  ) {
    this.kinds = new Set(choose(faultKinds.filter(() => random.chance(0.4))));
    const { store, bus } = world;
    store.faults = {
      slowChance: this.kinds.has("slow") ? random.between(0.02, 0.6) : 0.01,
      maxSlowMs: this.kinds.has("slow") ? (random.pick([100, 1_000, 4_000]) ?? 20) : 20,
      lossChance: this.kinds.has("loss") ? (random.pick([0.002, 0.01, 0.05]) ?? 0) : 0,
    };
    bus.faults = this.kinds.has("notes")
      ? { repeatChance: 0.2, maxDelayMs: random.pick([50, 500, 3_000]) ?? 50 }
      : { repeatChance: 0, maxDelayMs: 10 };
    for (const kind of ["kill", "freeze", "cut-off", "outage"] as const)
      if (this.kinds.has(kind))
        for (let count = 1 + random.index(3); count > 0; count--) this.#plan(kind, random.between(0, end));
  }

  #plan(kind: "kill" | "freeze" | "cut-off" | "outage", at: number): void {
    const { random, world } = this;
    const server = random.index(this.servers);
    const countsWrites = random.chance(0.75);
    const events = random.index(random.pick(countsWrites ? [1, 4, 12] : [2, 10, 60]) ?? 1);
    const fault = { at, events, server, countsWrites };
    if (kind === "kill") {
      const restMs = random.between(50, 6_000);
      this.#planned.push({ ...fault, act: () => this.#killForAWhile(server, restMs) });
    } else if (kind === "freeze") {
      const durationMs = random.chance(0.35) ? random.between(100, 5_000) : random.between(8_000, 25_000);
      this.#planned.push({ ...fault, act: () => world.freeze(server, durationMs) });
    } else {
      const durationMs = random.chance(0.6) ? random.between(50, 2_000) : random.between(2_000, 12_000);
      const servers = kind === "outage" ? [...world.processes.keys()] : [server];
      this.#planned.push({ ...fault, act: () => servers.map((index) => world.cutOff(index, durationMs)) });
    }
  }

  #killForAWhile(server: number, restMs: number): void {
    const { world } = this;
    if (!world.processes[server]?.isAlive) return;
    world.kill(server);
    world.timeline.schedule(restMs, null, () => world.startServer(server));
  }

  /** Called after each event. */
  afterEvent(): void {
    const { processes, timeline, store } = this.world;
    const [acted, wrote] = [timeline.lastOwner, store.takeWriter()];
    for (const fault of this.#planned) {
      if (fault.at > this.world.timeline.now) continue;
      const process = processes[fault.server];
      if (process && process === (fault.countsWrites ? wrote : acted)) fault.events--;
      // A process that is frozen with a transaction open would keep all others from the store, as no server does.
      if (fault.events > 0 || (process && store.hasOpenTransaction(process))) continue;
      this.#planned = this.#planned.filter((other) => other !== fault);
      timeline.schedule(0, null, fault.act);
      return;
    }
  }

  /** No further fault begins. Returns the moment at which every server works again, but for those that do not reach the store. */
  stop(): number {
    this.#planned = [];
    const { processes, timeline } = this.world;
    return processes.reduce((latest, { frozenUntil }) => Math.max(latest, frozenUntil), timeline.now);
  }

  /** Ends all faults. */
  heal(): void {
    const { store, bus } = this.world;
    store.faults = { slowChance: 0.01, maxSlowMs: 20, lossChance: 0 };
    bus.faults = { repeatChance: 0, maxDelayMs: 10 };
    store.healAll();
    bus.healAll();
  }
}
