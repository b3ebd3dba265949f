import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimBuild, readBuildConfig } from "./builds";
import { hashSources } from "./source-hash.mjs";

let project = "";
beforeEach(() => {
  project = realpathSync(mkdtempSync(path.join(os.tmpdir(), "swarmloom-build-")));
  write("app/page.tsx", "page");
  write("prisma/generated/client.ts", "client");
  write("next.config.js", "config");
});
afterEach(() => rmSync(project, { recursive: true }));

function write(file: string, content: string): void {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  writeFileSync(path.join(project, file), content);
}
const read = (...names: string[]): string => readFileSync(path.join(project, ...names), "utf8");

/** What `next build` leaves, as far as it matters here. */
function build(chunk: string, id = hashSources(project)): void {
  rmSync(path.join(project, ".next"), { recursive: true, force: true });
  write("node_modules/pino/index.js", "pino");
  write(".next/BUILD_ID", id);
  write(".next/server/chunk.js", chunk);
  write(".next/cache/large", "cache");
  mkdirSync(path.join(project, ".next/node_modules"));
  symlinkSync("../../node_modules/pino", path.join(project, ".next/node_modules/pino-1"));
  write(".next/export-marker.json", "{}");
}

describe("the hash of the sources", () => {
  it("depends on what files hold, not on when they were written", () => {
    const before = hashSources(project);
    write("prisma/generated/client.ts", "client");
    utimesSync(path.join(project, "app/page.tsx"), new Date(), new Date(Date.now() + 60_000));
    expect(hashSources(project)).toBe(before);
  });

  it.each([
    ["a changed file", () => write("app/page.tsx", "other")],
    ["a changed client", () => write("prisma/generated/client.ts", "other")],
    ["a new file", () => write("lib/core/a.ts", "")],
    ["a renamed file", () => renameSync(path.join(project, "app/page.tsx"), path.join(project, "app/a.tsx"))],
    ["new packages", () => write("package-lock.json", "{}")],
  ])("changes with %s", (_, change) => {
    const before = hashSources(project);
    change();
    expect(hashSources(project)).not.toBe(before);
  });

  it("ignores what no page is made of", () => {
    const before = hashSources(project);
    for (const file of [
      "app/page.test.tsx",
      "lib/cli/start.ts",
      "prisma/generated/.made-from",
      "README.md",
      "data/a.db",
    ])
      write(file, "new");
    expect(hashSources(project)).toBe(before);
  });
});

describe("the build that a server serves", () => {
  it("is there only when it was made from the present sources, and to its end", () => {
    expect(claimBuild(project)).toBeNull();
    build("old", "another-id");
    expect(claimBuild(project)).toBeNull();
    build("unfinished");
    rmSync(path.join(project, ".next/export-marker.json"));
    expect(claimBuild(project)).toBeNull();
    build("done");
    expect(claimBuild(project)).toBe(path.join(".next-served", hashSources(project)));
  });

  it("stays whole when another build deletes or replaces the one it came from", () => {
    build("mine");
    const served = claimBuild(project) ?? "";
    rmSync(path.join(project, ".next"), { recursive: true });
    expect(claimBuild(project)).toBe(served);
    write("app/page.tsx", "changed");
    build("theirs");
    expect(read(served, "server/chunk.js")).toBe("mine");
    expect(read(served, "node_modules/pino-1/index.js")).toBe("pino");
    expect(existsSync(path.join(project, served, "cache"))).toBe(false);
    expect(read(claimBuild(project) ?? "", "server/chunk.js")).toBe("theirs");
    expect(read(served, "server/chunk.js")).toBe("mine");
  });

  it("is the only one of a packed installation, which has no sources", () => {
    build("packed", "of other sources");
    write("lib/cli/main.mjs", "commands");
    expect(claimBuild(project)).toBe(".next");
  });

  it("gives Next the configuration that it was made with, and its own folder", () => {
    write(".next-served/id/required-server-files.json", JSON.stringify({ config: { distDir: ".next", basePath: "" } }));
    expect(JSON.parse(readBuildConfig(project, ".next-served/id"))).toEqual({
      distDir: ".next-served/id",
      distDirRoot: ".next-served/id",
      basePath: "",
    });
  });

  it("is deleted by a later start once no server uses it", () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    build("old");
    const served = claimBuild(project) ?? "";
    rmSync(path.join(project, served, `server-${process.pid}`));
    write(path.join(served, `server-${pid}`), "");
    mkdirSync(path.join(project, `.next-served/interrupted.${pid}`));
    write("app/page.tsx", "changed");
    build("new");
    const current = claimBuild(project) ?? "";
    expect(readdirSync(path.join(project, ".next-served"))).toEqual([path.basename(current)]);
  });
});
