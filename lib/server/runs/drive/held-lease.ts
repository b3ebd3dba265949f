import "server-only";
import type { RunContext } from "@/lib/core/run/ports/run-context";

interface HeldLeaseOptions {
  leaseMs: number;
  /** Milliseconds of a monotonic clock. */
  monotonicNow(): number;
  /** Renews the lease in the run's row. False: another process drives the run. Throws DatabaseError. */
  renew(): Promise<boolean>;
}

/**
 * The lease of a run as its own driver judges it: held for the duration of a lease after the last renewal was sent. Others
 * take the run over at the earliest when they saw no heartbeat for that long, so a process that was frozen meanwhile
 * notices by the monotonic clock that the run may not be its own any more.
 */
export class HeldLease {
  #heldUntil: number;

  /** `claimedAt`: when the claim was sent, on the monotonic clock. */
  constructor(
    private readonly options: HeldLeaseOptions,
    claimedAt: number,
  ) {
    this.#heldUntil = claimedAt + options.leaseMs;
  }

  /** The lease was renewed by a statement that was sent at this moment of the monotonic clock. */
  noteRenewal(sentAt: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, sentAt + this.options.leaseMs);
  }

  /** Resolves to whether the run is still this process's; renews the lease first where it may have expired. */
  async confirm(): Promise<boolean> {
    const { monotonicNow, renew } = this.options;
    while (monotonicNow() >= this.#heldUntil) {
      const sentAt = monotonicNow();
      if (!(await renew())) return false;
      this.noteRenewal(sentAt);
    }
    return true;
  }
}

/** The same world, whose models and tools are called only after `assertHeld` has resolved. */
export function guardCalls<World extends Pick<RunContext, "models" | "tools">>(
  world: World,
  assertHeld: () => Promise<void>,
): World {
  return {
    ...world,
    models: {
      find: (name) => {
        const resolvedModel = world.models.find(name);
        if (!resolvedModel) return null;
        const { model } = resolvedModel;
        const stream = async function* (request: Parameters<typeof model.stream>[0]) {
          await assertHeld();
          yield* model.stream(request);
        };
        return { ...resolvedModel, model: { stream } };
      },
    },
    tools: {
      find: (name) => {
        const tool = world.tools.find(name);
        if (!tool) return null;
        return {
          ...tool,
          execute: async (input, toolContext) => {
            await assertHeld();
            return tool.execute(input, toolContext);
          },
        };
      },
    },
  };
}
