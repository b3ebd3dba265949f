import "server-only";

/** The lease in a run's row. `leaseUntil` changes with each heartbeat of the owner. */
export interface Lease {
  runId: string;
  owner: string | null;
  epoch: number;
  leaseUntil: Date | null;
}

const toHeartbeat = ({ owner, epoch, leaseUntil }: Lease): string => `${owner} ${epoch} ${leaseUntil?.getTime()}`;

/**
 * Judges the owners of leases by their heartbeats: a lease has expired when this process saw no heartbeat of it for the
 * duration of a lease. The time that a lease names is never compared with a clock, so that a clock that is set back or
 * forward neither keeps a dead run alive nor ends a live one.
 */
export class LeaseObserver {
  #observations = new Map<string, { heartbeat: string; since: number }>();
  #last = Number.NEGATIVE_INFINITY;
  /** In how many milliseconds the first lease will have expired, as seen last; Infinity where there is none. */
  nextExpiryMs = Number.POSITIVE_INFINITY;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(
    private readonly leaseMs: number,
    private readonly now: () => number,
  ) {}

  /** Takes the leases of all runs that others drive, and returns those that have expired. */
  observe<T extends Lease>(leases: readonly T[]): T[] {
    const now = this.now();
    // A process that was suspended for so long saw nothing meanwhile, and others may have been suspended with it.
    const isBlind = now - this.#last > this.leaseMs;
    this.#last = now;
    const before = isBlind ? null : this.#observations;
    this.#observations = new Map();
    this.nextExpiryMs = Number.POSITIVE_INFINITY;
    return leases.filter((lease) => {
      const heartbeat = toHeartbeat(lease);
      const previousObservation = before?.get(lease.runId);
      const observation =
        previousObservation?.heartbeat === heartbeat ? previousObservation : { heartbeat, since: now };
      this.#observations.set(lease.runId, observation);
      const restMs = observation.since + this.leaseMs - now;
      if (restMs > 0) this.nextExpiryMs = Math.min(this.nextExpiryMs, restMs);
      return restMs <= 0;
    });
  }
}
