import "server-only";
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { getDb } from "./db";
import { getProjectFolder } from "./env";
import { logger } from "./logger";
import { getExecutor } from "./runs/executor";

export interface Health {
  status: "ok" | "failing";
  version: string;
  database: "ok" | "failing";
  /** Processes that drive runs. */
  workers: number;
}

const packageSchema = z.object({ version: z.string() });

export async function getHealth(): Promise<Health> {
  const { version } = packageSchema.parse(
    JSON.parse(readFileSync(path.join(getProjectFolder(), "package.json"), "utf8")),
  );
  try {
    const db = await getDb();
    await db.$queryRawUnsafe("SELECT 1");
    await getExecutor().beat();
    return { status: "ok", version, database: "ok", workers: 1 };
  } catch (error) {
    logger.error({ err: error }, "health check failed");
    return { status: "failing", version, database: "failing", workers: 0 };
  }
}
