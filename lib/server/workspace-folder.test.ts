import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "swarmloom-workspace-")));
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function make(name: string): string {
  mkdirSync(path.join(folder, name), { recursive: true });
  return path.join(folder, name);
}

/** The workspace as a fresh process reads it. */
async function read(workspace: string, variables: Readonly<Record<string, string>> = {}) {
  for (const [name, value] of Object.entries({ ...variables, SWARMLOOM_WORKSPACE: workspace })) vi.stubEnv(name, value);
  vi.resetModules();
  return (await import("./env")).getEnv().SWARMLOOM_WORKSPACE;
}

const refusal = "The environment variable SWARMLOOM_WORKSPACE cannot be used: expected a folder of its own";

describe("the workspace of agents", () => {
  it("is any folder of its own, and stays the same when a link to it changes", async () => {
    const workspace = make("home/projects/one");
    symlinkSync(workspace, path.join(folder, "link"));
    vi.stubEnv("HOME", path.join(folder, "home"));
    expect(await read(path.join(folder, "link"))).toBe(workspace);
  });

  it("is never the whole file system", async () => {
    await expect(read("/")).rejects.toThrow(
      `${refusal}, such as ~/swarmloom-workspace, found the root of the file system`,
    );
    symlinkSync("/", path.join(folder, "root"));
    await expect(read(path.join(folder, "root"))).rejects.toThrow("found the root of the file system");
  });

  it("is never the home folder, nor a folder that holds it", async () => {
    const home = make("users/me");
    symlinkSync(home, path.join(folder, "link"));
    vi.stubEnv("HOME", path.join(folder, "link"));
    for (const workspace of [home, path.dirname(home), path.join(folder, "link")])
      await expect(read(workspace)).rejects.toThrow("which holds your home folder");
  });

  it.each([".", "..", "lib", "node_modules", "prisma/migrations"])(
    "never overlaps with the checkout: %s of it",
    async (relative) => {
      const workspace = path.resolve(relative);
      symlinkSync(workspace, path.join(folder, "link"));
      for (const written of [workspace, relative, path.join(folder, "link")])
        await expect(read(written)).rejects.toThrow("which overlaps with Swarmloom itself");
    },
  );

  it("overlaps with the code that runs, not with the folder that a command is called in", async () => {
    vi.spyOn(process, "cwd").mockReturnValue(make("project"));
    expect(await read(".")).toBe(path.join(folder, "project"));
    vi.restoreAllMocks();
  });

  it("never overlaps with the data folder, also before that exists", async () => {
    const [data, inner] = [make("outer/data"), make("outer/data/files")];
    for (const workspace of [data, inner, path.dirname(data)])
      await expect(read(workspace, { SWARMLOOM_DATA: data })).rejects.toThrow("which overlaps with the data folder");
    const later = path.join(inner, "later/data");
    await expect(read(inner, { SWARMLOOM_DATA: later })).rejects.toThrow("which overlaps with the data folder");
  });

  it("never holds the database", async () => {
    const workspace = make("workspace");
    symlinkSync(workspace, path.join(folder, "link"));
    for (const file of [path.join(workspace, "a.db"), path.join(folder, "link/deep/a.db")])
      await expect(read(workspace, { DATABASE_URL: `file:${file}` })).rejects.toThrow("which holds the database");
    expect(await read(workspace, { DATABASE_URL: "postgresql://a/b" })).toBe(workspace);
  });
});
