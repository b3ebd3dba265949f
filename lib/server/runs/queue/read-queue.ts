import "server-only";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import { runErrorSchema } from "@/lib/core/run/events/events";
import { isInFlowOf, requireOperator, type Viewer } from "../../auth/viewer";
import { type Db, getDb } from "../../db";
import { getEnv } from "../../env";
import { usesJobs } from "./run-queue";
import { listWorkers } from "./workers";

/** A run that the server could not drive to its end, for another reason than its flow, its models or its tools. */
export interface AbandonedRun {
  id: string;
  flowName: string;
  /** Milliseconds since the epoch. */
  endedAt: number;
  reason: string;
}

/** What waits and what is under way, in all processes. Moments are milliseconds since the epoch. */
export interface QueueStatus {
  /** Runs that wait for their turn, and since when the first of them has. */
  waiting: number;
  waitingSince: number | null;
  running: number;
  /** Runs that wait for a person. */
  waitingForPeople: number;
  /** None: the servers drive the runs. */
  workers: { name: string; concurrency: number; startedAt: number }[];
  /** Runs at the same time in each process, and of one team in all of them; null: any number. */
  concurrency: number;
  teamConcurrency: number | null;
  /** Waiting runs whose teams have as many under way as they may. */
  waitingForTeam: number;
  /** The limits on providers, in all processes. */
  providers: ProviderUse[];
  /** The last ones, of the viewer's teams. */
  abandoned: AbandonedRun[];
}

/** How much one provider is asked at most, how much it is asked now, and how many calls wait for their turn. */
export interface ProviderUse {
  provider: string;
  /** Null: any number. */
  calls: { most: number; now: number } | null;
  starts: { most: number; now: number } | null;
  waiting: number;
}

/** Codes of errors that are the server's. */
const serverErrors = ["interrupted", "internal", "storage"];
const mostAbandoned = 10;

/** Throws AppError `forbidden` unless the viewer manages the first team. */
export async function getQueueStatus(viewer: Viewer): Promise<QueueStatus> {
  requireOperator(viewer);
  const db = await getDb();
  const count = (status: string) => db.run.count({ where: { status } });
  const { SWARMLOOM_CONCURRENCY: concurrency, SWARMLOOM_TEAM_CONCURRENCY: teamConcurrency = null } = getEnv();
  const [waiting, running, waitingForPeople, first, workers, waitingForTeam, providers, abandoned] = await Promise.all([
    count("INIT"),
    count("RUNNING"),
    count("WAITING"),
    db.run.findFirst({ where: { status: "INIT" }, orderBy: { createdAt: "asc" }, select: { createdAt: true } }),
    usesJobs() ? listWorkers(db) : [],
    countWaitingForTeam(db, teamConcurrency ?? Number.POSITIVE_INFINITY),
    readProviderUse(db),
    db.run.findMany({
      where: { ...isInFlowOf(viewer, "runs:read"), status: "FAILED", errorCode: { in: serverErrors } },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: mostAbandoned,
      select: { id: true, flowName: true, endedAt: true, error: true },
    }),
  ]);
  return {
    waiting,
    waitingSince: first?.createdAt.getTime() ?? null,
    running,
    waitingForPeople,
    workers: workers.map(({ name, concurrency, startedAt }) => ({ name, concurrency, startedAt: startedAt.getTime() })),
    concurrency,
    teamConcurrency,
    waitingForTeam,
    providers,
    abandoned: abandoned.map(({ id, flowName, endedAt, error }) => ({
      id,
      flowName,
      endedAt: endedAt?.getTime() ?? 0,
      reason: findJsonAs(error ?? "", runErrorSchema)?.message ?? "",
    })),
  };
}

/** `most`: runs of one team at the same time, where it has set no lower limit for itself. */
async function countWaitingForTeam(db: Db, most: number): Promise<number> {
  const [loads, settings] = await Promise.all([
    db.run.groupBy({ by: ["teamId"], where: { status: "RUNNING" }, _count: true }),
    db.teamSetting.findMany({
      where: { maxConcurrentRuns: { not: null } },
      select: { teamId: true, maxConcurrentRuns: true },
    }),
  ]);
  const limits = new Map(settings.map(({ teamId, maxConcurrentRuns }) => [teamId, maxConcurrentRuns ?? most]));
  const full = loads.filter(({ teamId, _count }) => _count >= Math.min(most, limits.get(teamId) ?? most));
  if (full.length === 0) return 0;
  return db.run.count({ where: { status: "INIT", teamId: { in: full.map(({ teamId }) => teamId) } } });
}

/** With several processes by the rows of their shares, each up to a second old. */
async function readProviderUse(db: Db): Promise<ProviderUse[]> {
  const limiters = [...(globalThis.swarmloomLimiters ?? [])];
  if (limiters.length === 0) return [];
  const shares = usesJobs()
    ? await db.callShare.groupBy({ by: ["resource"], _sum: { used: true, waiting: true } })
    : null;
  const sumOf = (resource: string) => shares?.find((share) => share.resource === resource)?._sum;
  return limiters.map(([provider, { limits, use }]) => {
    const [calls, starts] = [sumOf(`${provider} calls`), sumOf(`${provider} starts`)];
    const toUse = (most: number | undefined, now: number) => (most === undefined ? null : { most, now });
    return {
      provider,
      calls: toUse(limits.concurrency, shares ? (calls?.used ?? 0) : use.running),
      starts: toUse(limits.perMinute, shares ? (starts?.used ?? 0) : use.begun),
      waiting: shares ? Math.max(calls?.waiting ?? 0, starts?.waiting ?? 0) : use.waiting,
    };
  });
}
