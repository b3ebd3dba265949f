import { rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import * as health from "@/app/api/health/route";
import * as ready from "@/app/api/ready/route";
import { getDatabaseFile } from "./env";
import { getExecutor } from "./runs/drive/executor";
import { startServices } from "./start";

afterAll(() => globalThis.swarmloomServices?.closeDatabase());

async function ask({ GET }: typeof ready | typeof health, name: "ready" | "health", host = "127.0.0.1:3000") {
  const request = new Request(`http://127.0.0.1:3000/api/${name}`, { headers: { host } });
  const response = await GET(request, { params: Promise.resolve({}) });
  return [response.status, await response.json()];
}
const askReady = () => ask(ready, "ready");

test("a process is ready from the end of its start to its shutdown, while its database takes writes", async () => {
  // What a volume that is not mounted yet, or a copy under way, may look like.
  writeFileSync(getDatabaseFile(), "not a database yet".repeat(100));
  expect(await askReady()).toEqual([503, { status: "starting", reason: expect.stringMatching(/being opened/) }]);
  await expect(startServices()).rejects.toThrow();
  expect(await askReady()).toEqual([503, { status: "failing", reason: expect.stringMatching(/database/) }]);
  await expect(startServices()).rejects.toThrow();

  // The next request starts again: nothing but the database has to be repaired.
  rmSync(getDatabaseFile());
  await askReady();
  const db = await startServices();
  expect(await askReady()).toEqual([200, { status: "ready" }]);

  await db.$queryRawUnsafe("PRAGMA query_only = ON");
  for (let beat = 0; beat < 20; beat++) await getExecutor().beat();
  expect(await askReady()).toEqual([503, { status: "failing", reason: expect.stringMatching(/read-only/) }]);
  await db.$queryRawUnsafe("PRAGMA query_only = OFF");
  expect(await askReady()).toEqual([200, { status: "ready" }]);

  await globalThis.swarmloomServices?.endRuns();
  expect(await askReady()).toEqual([503, { status: "stopping", reason: "The server is shutting down." }]);
  expect(await ask(health, "health")).toEqual([
    200,
    { status: "ok", version: expect.any(String), database: "ok", workers: 1 },
  ]);
});

test("is for those who may use the API only", async () => {
  expect(await ask(ready, "ready", "evil.example")).toEqual([
    403,
    { error: expect.objectContaining({ code: "forbidden" }) },
  ]);
});
