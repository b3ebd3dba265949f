"use client";
import { ArrowRight } from "lucide-react";
import Link from "next/link";
import * as z from "zod/mini";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import type { QueueStatus } from "@/lib/server/runs/queue/read-queue";
import { LimitsInForce } from "./limits-in-force";

const refreshMs = 3_000;

const useSchema = z.object({ most: z.number(), now: z.number() });
const queueSchema: z.ZodMiniType<QueueStatus> = z.object({
  waiting: z.number(),
  waitingSince: z.nullable(z.number()),
  running: z.number(),
  waitingForPeople: z.number(),
  workers: z.array(z.object({ name: z.string(), concurrency: z.number(), startedAt: z.number() })),
  concurrency: z.number(),
  teamConcurrency: z.nullable(z.number()),
  waitingForTeam: z.number(),
  providers: z.array(
    z.object({
      provider: z.string(),
      calls: z.nullable(useSchema),
      starts: z.nullable(useSchema),
      waiting: z.number(),
    }),
  ),
  abandoned: z.array(z.object({ id: z.string(), flowName: z.string(), endedAt: z.number(), reason: z.string() })),
});

export function QueueSection({ initial }: { initial: QueueStatus }) {
  const { value, problem } = useLoaded({ key: "queue", refreshMs }, (signal) =>
    fetchJson("/api/v1/settings/queue", queueSchema, { signal }),
  );
  const queue = value ?? initial;
  return (
    <div className="flex flex-col gap-5">
      <dl className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        <Count name="Waiting for their turn" count={queue.waiting}>
          {queue.waitingSince !== null && (
            <>
              the first since <RelativeTime at={queue.waitingSince} />
            </>
          )}
        </Count>
        <Count name="Running" count={queue.running} />
        <Count name="Waiting for a person" count={queue.waitingForPeople} />
      </dl>
      <LimitsInForce {...queue} />
      <Workers workers={queue.workers} />
      <AbandonedRuns runs={queue.abandoned} />
      <p role="status" className="text-danger empty:hidden">
        {problem && `These figures may be old: ${problem}`}
      </p>
    </div>
  );
}

const Count = ({ name, count, children }: { name: string; count: number; children?: React.ReactNode }) => (
  <div className="flex flex-col-reverse justify-end rounded-md border px-3 py-2">
    <dt className="text-text-muted">
      {name}
      {children && <span className="block text-xs">{children}</span>}
    </dt>
    <dd className="font-semibold text-xl tabular-nums">{count}</dd>
  </div>
);

const Workers = ({ workers }: Pick<QueueStatus, "workers">) => (
  <div>
    <h3 className="font-medium">Workers</h3>
    {workers.length === 0 ? (
      <p className="mt-1 text-text-muted">
        None: this server drives the runs itself. On PostgreSQL, <code>swarmloom worker</code> adds processes that only
        drive runs.
      </p>
    ) : (
      <ul className="mt-2 divide-y rounded-md border">
        {workers.map(({ name, concurrency, startedAt }) => (
          <li key={`${name} ${startedAt}`} className="flex flex-wrap items-baseline gap-x-4 px-3 py-2">
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{name}</span>
            <span className="text-text-muted">{concurrency} runs at a time</span>
            <span className="text-text-muted">
              started <RelativeTime at={startedAt} />
            </span>
          </li>
        ))}
      </ul>
    )}
  </div>
);

const AbandonedRuns = ({ runs }: { runs: QueueStatus["abandoned"] }) => (
  <div>
    <h3 className="font-medium">Runs that the server gave up</h3>
    {runs.length === 0 ? (
      <p className="mt-1 text-text-muted">
        None. Runs that fail by their flow, a model or a tool are in the list of runs.
      </p>
    ) : (
      <ul className="mt-2 divide-y rounded-md border">
        {runs.map(({ id, flowName, endedAt, reason }) => (
          <li key={id}>
            <Link
              href={`/runs/${id}`}
              className="flex flex-col gap-1 px-3 py-2 hover:bg-surface-hover sm:flex-row sm:items-start sm:gap-3"
            >
              <span className="min-w-0 flex-1">
                <span className="font-medium">{flowName}</span>{" "}
                <span className="text-text-muted">
                  <RelativeTime at={endedAt} />
                </span>
                <span className="mt-0.5 block text-text-muted [overflow-wrap:anywhere]">{reason}</span>
              </span>
              <span className="flex shrink-0 items-center gap-1 text-accent-text">
                Open and retry <ArrowRight size={14} aria-hidden />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    )}
  </div>
);
