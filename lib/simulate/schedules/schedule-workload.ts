import { simulatedEpoch } from "../time/clocks";
import type { Random } from "../time/random";
import type { FaultKind } from "../world/fault-kinds";
import { Violation, type Workload, type World } from "../world/world";

/** Times of schedules, in minutes after the start. */
const timesOfDay = [[1], [1], [1], [2], [1, 2]] as const;
const policies = ["skip", "once", "each"] as const;

interface Schedule {
  id: string;
  name: string;
  missed: (typeof policies)[number];
  times: readonly number[];
}

interface ScheduleRow {
  nextAt: string | null;
  lastProblem: string | null;
}

/** Faults that keep no server from starting runs: each time must have its run, and no reason why it has none. */
const harmlessFaults: readonly FaultKind[] = ["slow", "notes"];

const toMoment = (ms: number): string => new Date(simulatedEpoch + ms).toISOString().replace("Z", "+00:00");

/** Several servers start the runs of many schedules that are due at the same time. */
export class ScheduleWorkload implements Workload {
  readonly services = { runsSchedules: true };
  readonly durationMs = 150_000;
  readonly settleMs = 30_000;
  readonly #schedules: Schedule[] = [];
  readonly #isHarmless: boolean;
  /** More than one look deals with: the last ones get their turn late. */
  readonly #isCrowded: boolean;
  readonly #countRuns;
  readonly #readSchedule;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly flowId: string,
  ) {
    const { connection } = world.store.database;
    this.#isCrowded = random.chance(0.05);
    this.#isHarmless = this.#isCrowded || random.chance(0.5);
    this.#countRuns = connection.prepare<[string], { runs: bigint }>(
      `SELECT count(*) AS "runs" FROM "Run" WHERE "startedById" = ?`,
    );
    this.#readSchedule = connection.prepare<[string], ScheduleRow>(
      `SELECT "nextAt", "lastProblem" FROM "Schedule" WHERE "id" = ?`,
    );
  }

  chooseFaults(kinds: readonly FaultKind[]): FaultKind[] {
    if (this.#isCrowded) return ["slow"];
    return kinds.filter((kind) => !this.#isHarmless || harmlessFaults.includes(kind));
  }

  start(): void {
    if (this.#isCrowded) this.world.store.faults = { slowChance: 0.3, maxSlowMs: 1_500, lossChance: 0 };
    const count = this.#isCrowded ? 101 + this.random.index(15) : 3 + this.random.index(8);
    for (let number = 1; number <= count; number++) this.#insert(number);
  }

  #insert(number: number): void {
    const { random, world, flowId } = this;
    const times = (this.#isCrowded ? undefined : random.pick(timesOfDay)) ?? [1];
    const missed = random.pick(policies) ?? "once";
    const schedule = { id: random.uuid(), name: `schedule ${number}`, missed, times };
    this.#schedules.push(schedule);
    const now = toMoment(0);
    const row = {
      ...{ id: schedule.id, teamId: "local", flowId, name: schedule.name, cron: `${times.join()} 0 * * *` },
      ...{ timeZone: "UTC", input: "go", missed, overlap: 1, enabled: 1, nextAt: toMoment((times[0] ?? 1) * 60_000) },
      ...{ createdById: "local", createdBy: "You", createdAt: now, updatedAt: now },
    };
    const columns = Object.keys(row);
    world.store.database.connection
      .prepare(
        `INSERT INTO "Schedule" (${columns.map((name) => `"${name}"`).join()}) VALUES (${columns.map(() => "?").join()})`,
      )
      .run(Object.values(row));
  }

  settle(): void {}

  check(): void {}

  checkEnd(): void {
    for (const schedule of this.#schedules) this.#assertDone(schedule);
  }

  #assertDone({ id, name, missed, times }: Schedule): void {
    const runs = Number(this.#countRuns.get(`schedule:${id}`)?.runs ?? 0);
    const { nextAt, lastProblem } = this.#readSchedule.get(id) ?? { nextAt: null, lastProblem: null };
    const label = `${name} (missed: ${missed}, ${times.length} times)`;
    if (nextAt === null || nextAt < toMoment(this.durationMs))
      throw new Violation(`${label} is still due at ${nextAt} although all is quiet`);
    if (runs > times.length) throw new Violation(`${label} started ${runs} runs`);
    if (this.#isHarmless && (runs < times.length || lastProblem !== null))
      throw new Violation(`${label} started ${runs} runs although a server could always start one: ${lastProblem}`);
    const least = missed === "each" ? times.length : missed === "once" ? 1 : 0;
    if (runs < least) throw new Violation(`${label} started ${runs} runs: ${lastProblem}`);
    if (runs === 0 && lastProblem === null) throw new Violation(`${label} started no run, for no reason`);
  }
}
