import "server-only";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { runErrorSchema } from "@/lib/core/run/events/events";
import { inTeamsOf, requireAdministrator, type Viewer } from "../../auth/viewer";
import { getDb } from "../../db";
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
  /** The last ones, of the viewer's teams. */
  abandoned: AbandonedRun[];
}

/** Codes of errors that are the server's. */
const serverErrors = ["interrupted", "internal", "storage"];
const mostAbandoned = 10;

/** Throws AppError `forbidden` for everybody but administrators. */
export async function getQueueStatus(viewer: Viewer): Promise<QueueStatus> {
  requireAdministrator(viewer);
  const db = await getDb();
  const count = (status: string) => db.run.count({ where: { status } });
  const [waiting, running, waitingForPeople, first, workers, abandoned] = await Promise.all([
    count("INIT"),
    count("RUNNING"),
    count("WAITING"),
    db.run.findFirst({ where: { status: "INIT" }, orderBy: { createdAt: "asc" }, select: { createdAt: true } }),
    usesJobs() ? listWorkers(db) : [],
    db.run.findMany({
      where: { ...inTeamsOf(viewer), status: "FAILED", errorCode: { in: serverErrors } },
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
    abandoned: abandoned.map(({ id, flowName, endedAt, error }) => ({
      id,
      flowName,
      endedAt: endedAt?.getTime() ?? 0,
      reason: error === null ? "" : parseJsonAs(error, runErrorSchema).message,
    })),
  };
}
