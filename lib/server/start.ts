import "server-only";
import path from "node:path";
import { copyBeforeMigration, copyPostgresBeforeMigration } from "@/prisma/backup/copy-before-migration";
import { ProgramMissingError } from "@/prisma/backup/postgres-programs";
import { retryWhileBusy } from "@/prisma/client";
import { type DatabaseKind, type Migration, migrateSqlite, readMigrations } from "@/prisma/migrate";
import { migratePostgres } from "@/prisma/migrate-postgres";
import { protectData } from "./data-folder";
import { type Db, openDatabase, openRunStore } from "./db";
import { type DatabaseLocation, getDatabaseLocation, getDataFolder, getEnv, getProjectFolder } from "./env";
import { logger } from "./log/logger";
import type { Executor } from "./runs/drive/executor";
import type { JobService } from "./runs/queue/job-service";

/** `web` serves pages and drives runs while there is no worker; `worker` only drives runs, on PostgreSQL. */
export type ProcessRole = "web" | "worker";

/** What a process runs besides its requests; the command that stops the process ends it. */
interface OpenServices {
  /** Ends the runs that this process drives; each records that it was interrupted. */
  endRuns(): Promise<void>;
  closeDatabase(): Promise<void>;
}

declare global {
  /** Global because the start command is not part of the app's bundles. Undefined until the services have started. */
  var swarmloomServices: OpenServices | undefined;
  /** Whether `swarmloomDb` has rejected. */
  var swarmloomStartFailed: boolean | undefined;
  /** Why the last attempt to start failed; undefined after one that succeeded. */
  var swarmloomStartError: unknown;
  /** Whether this process is ending its runs, and takes no new ones. */
  var swarmloomIsStopping: boolean | undefined;
}

/**
 * Starts the services of this process once: brings the database up to date and opens it, adds the demo flow to a new one,
 * then starts the executor, the trace sender and the emptying of the trash. Resolves to the database, which `getDb` returns from then on. After a
 * failed start the next call starts again.
 */
export function startServices(role: ProcessRole = "web"): Promise<Db> {
  if (globalThis.swarmloomDb && !globalThis.swarmloomStartFailed) return globalThis.swarmloomDb;
  globalThis.swarmloomStartFailed = false;
  const db = start(role);
  db.then(
    () => {
      globalThis.swarmloomStartError = undefined;
    },
    (error: unknown) => {
      globalThis.swarmloomStartFailed = true;
      globalThis.swarmloomStartError = error;
    },
  );
  globalThis.swarmloomDb = db;
  return db;
}

/** Brings the database up to date and opens it, for commands beside the server. */
export async function openCurrentDatabase(): Promise<Db> {
  const { db } = await openMigrated();
  return db;
}

async function openMigrated() {
  const location = getDatabaseLocation();
  protectData(location.type === "sqlite" ? location.file : null);
  const applied = await migrate(location);
  return { db: await openDatabase(location), location, applied };
}

/** Brings the database up to date, for a command beside the server. Returns the names of the migrations applied now. */
export async function migrateDatabase(): Promise<string[]> {
  const location = getDatabaseLocation();
  protectData(location.type === "sqlite" ? location.file : null);
  return migrate(location);
}

async function migrate(location: DatabaseLocation): Promise<string[]> {
  if (location.type === "postgresql") {
    const { url } = location;
    const beforeUpgrade = (migrations: readonly string[]) => copyPostgresForUpgrade(url, migrations.at(-1) ?? "");
    return migratePostgres(url, listMigrations("postgresql"), { beforeUpgrade });
  }
  const { file } = location;
  const beforeUpgrade = (migrations: readonly string[]): void => copyForUpgrade(file, migrations.at(-1) ?? "");
  return retryWhileBusy(() => migrateSqlite(file, listMigrations("sqlite"), { beforeUpgrade }));
}

/** The migrations of this version for one of the databases. */
export const listMigrations = (kind: DatabaseKind): Migration[] =>
  readMigrations(path.join(getProjectFolder(), "prisma/migrations", kind));

function copyForUpgrade(database: string, version: string): void {
  const folder = path.join(getDataFolder(), "backups");
  const copy = copyBeforeMigration({ database, version, folder, now: new Date() });
  logger.info({ copy }, "the database was copied before it is migrated");
}

/** Without the programs of PostgreSQL an upgrade is not refused: an operator may have made a backup by other means. */
async function copyPostgresForUpgrade(url: string, version: string): Promise<void> {
  const folder = path.join(getDataFolder(), "backups");
  const access = { url, searchPath: getEnv().PATH };
  try {
    const copy = await copyPostgresBeforeMigration({ access, version, folder, now: new Date() });
    logger.info({ copy }, "the database was copied before it is migrated");
  } catch (error) {
    if (!(error instanceof ProgramMissingError)) throw error;
    logger.warn(`the database is migrated without a copy of it: ${error.message}`);
  }
}

/** The services are imported dynamically because every route and page imports this file, and only the first request starts them. */
async function start(role: ProcessRole): Promise<Db> {
  const { db, location, applied } = await openMigrated();
  await prepareRows(db, applied).catch(async (error: unknown) => {
    // The next attempt opens it again.
    await db.$disconnect();
    throw error;
  });
  const { observeStore } = await import("./metrics/observe-store");
  const { toPatientStore } = await import("./runs/drive/patient-store");
  const runStore = toPatientStore(observeStore(openRunStore(location)));
  globalThis.swarmloomRunStore = runStore;
  const { getExecutor, shutDownExecutor, startExecutor } = await import("./runs/drive/executor");
  startExecutor(db);
  const { listLimiters } = await import("./models/model-port");
  globalThis.swarmloomLimiters = listLimiters(getEnv());
  const shares = location.type === "postgresql" ? await startShares(db, getExecutor()) : null;
  const jobs = location.type === "postgresql" ? await startJobs(db, getExecutor(), { url: location.url, role }) : null;
  const scheduler = role === "web" ? await startHousekeeping(db) : null;
  const closeDatabase = async (): Promise<void> => {
    await runStore.close();
    await db.$disconnect();
  };
  const endRuns = async (): Promise<void> => {
    globalThis.swarmloomIsStopping = true;
    scheduler?.stop();
    jobs?.stopTaking();
    await shutDownExecutor();
    await shares?.stop();
    await jobs?.close();
  };
  globalThis.swarmloomServices = { endRuns, closeDatabase };
  return db;
}

/** What this process may use of the limits that hold for all processes. */
async function startShares(db: Db, { owner }: Executor) {
  const { CallShares } = await import("./models/call-share");
  const shares = new CallShares(db, owner, globalThis.swarmloomLimiters ?? new Map());
  await shares.start();
  return shares;
}

async function startJobs(db: Db, executor: Executor, options: { url: string; role: ProcessRole }): Promise<JobService> {
  const { JobService } = await import("./runs/queue/job-service");
  const service = new JobService(db, executor, { ...options, concurrency: getEnv().SWARMLOOM_CONCURRENCY });
  await service.start();
  return service;
}

/** What needs doing once, however many workers there are. Returns what starts runs. */
async function startHousekeeping(db: Db): Promise<{ stop(): void }> {
  const { startTraceSender } = await import("./trace-export/trace-sender");
  startTraceSender(db);
  const { startTrashPurger } = await import("./flows/trash");
  startTrashPurger(db);
  const { startRetention } = await import("./retention/retention");
  startRetention(db);
  const { startFillingRows } = await import("./flows/fill-rows");
  startFillingRows(db);
  const { startScheduler } = await import("./schedules/scheduler");
  return startScheduler(db);
}

async function prepareRows(db: Db, applied: readonly string[]): Promise<void> {
  const { storeLocalTeam } = await import("./teams/local-team");
  await storeLocalTeam(db);
  if (applied.includes("0001_init")) {
    const { createFirstFlow } = await import("./flows/flow-rows");
    await createFirstFlow(db);
  }
  const { loadSettings } = await import("./load-settings");
  await loadSettings(db);
}
