import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

/** Every test file gets a data folder of its own, models and tools without keys, and simulated answers that take no time. */
const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-unit-"));
const settings =
  /^(OPENAI|ANTHROPIC|COMPATIBLE|TAVILY|BRAVE|SEARXNG)_|^SWARMLOOM_(SEARCH|HTTP_ALLOW|TRACE_ALLOW|WORKSPACE)$/;
for (const name of Object.keys(process.env)) if (settings.test(name)) delete process.env[name];
process.env.SWARMLOOM_DATA = folder;
process.env.DATABASE_URL = `file:${path.join(folder, "swarmloom.db")}`;
process.env.SWARMLOOM_DEMO_SPEED = "0";

afterAll(() => rmSync(folder, { recursive: true, force: true }));
