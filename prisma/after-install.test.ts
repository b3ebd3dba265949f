import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const root = path.join(import.meta.dirname, "..");
const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), "utf8"));

describe("what runs after an install", () => {
  let project = "";
  beforeAll(() => {
    project = mkdtempSync(path.join(os.tmpdir(), "swarmloom-install-"));
    for (const file of [".config", "package.json", "prisma/schema.prisma", "prisma/prisma.config.ts"])
      cpSync(path.join(root, file), path.join(project, file), { recursive: true });
    symlinkSync(path.join(root, "node_modules"), path.join(project, "node_modules"), "junction");
  });
  afterAll(() => rmSync(project, { recursive: true }));

  const client = (): string => path.join(project, "prisma/generated/postgresql/client.ts");
  /** When the client was written. */
  function install(): number {
    const { status, stderr } = spawnSync(process.execPath, [".config/after-install.mjs"], { cwd: project });
    expect(status, String(stderr)).toBe(0);
    return statSync(client()).mtimeMs;
  }

  it("generates the client once: `npx swarmloom` finds it and leaves it, a changed schema makes another", () => {
    const first = install();
    expect(install()).toBe(first);
    const schema = path.join(project, "prisma/schema.prisma");
    writeFileSync(schema, `${readFileSync(schema, "utf8")}\nmodel Extra {\n  id String @id\n}\n`);
    expect(install()).toBeGreaterThan(first);
    expect(existsSync(path.join(project, "prisma/generated/postgresql/models/Extra.ts"))).toBe(true);
    rmSync(client());
    install();
  });
});

describe("install scripts of packages", () => {
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })) })
    .parse(readJson("package-lock.json"));
  const { allowScripts, packageManager } = z
    .object({ allowScripts: z.record(z.string(), z.boolean()), packageManager: z.string() })
    .parse(readJson("package.json"));

  it("run for the one that needs its, and every other one is refused by name", () => {
    const scripted = Object.entries(packages)
      .filter(([folder, { hasInstallScript }]) => folder !== "" && hasInstallScript)
      .map(([folder]) => folder.split("node_modules/").at(-1));
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(scripted)].sort());
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(["better-sqlite3"]);
  });

  it("are decided by an npm that knows allowScripts", () => {
    expect(packageManager).toMatch(/^npm@11\./);
  });
});

it("Next and Prisma send no usage data, however they are started", () => {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production" as const };
  const show = "console.log(process.env.NEXT_TELEMETRY_DISABLED, process.env.CHECKPOINT_DISABLE)";
  for (const module of ["./next.config.js", "./.config/no-telemetry.mjs"]) {
    const code = `import(${JSON.stringify(module)}).then(() => ${show})`;
    const { stdout } = spawnSync(process.execPath, ["-e", code], { cwd: root, env });
    expect(String(stdout)).toBe("1 1\n");
  }
});
