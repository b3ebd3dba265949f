import { execFileSync } from "node:child_process";
import { existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPatch } from "./apply-patch";
import { getDiffs } from "./get-diffs";
import { TestFolder } from "./testing/folder";

let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder({ "a.txt": "one\ntwo\n", "b.txt": "b\n", ".gitignore": "ignored\n" });
  git("init", "-q");
});
afterEach(() => folder.remove());

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.test", "-c", "commit.gpgsign=false", ...args], {
    cwd: folder.root,
    encoding: "utf8",
    stdio: "pipe",
  });
const commit = () => {
  git("add", "-A");
  git("commit", "-qm", "first");
};
const diffs = () => folder.call(getDiffs, {});

describe("get_diffs", () => {
  it("shows changed, staged, deleted and new files as one diff, and changes nothing", async () => {
    commit();
    expect(await diffs()).toBe("no changes since the last commit");
    folder.write("a.txt", "one\nTWO\n");
    git("add", "a.txt");
    rmSync(folder.at("b.txt"));
    folder.write("src/neu ü.txt", "new");
    folder.write("empty", "");
    folder.write("ignored", "x");
    const status = git("status", "--porcelain");
    const text = await diffs();
    expect(text).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n");
    expect(text).toContain("--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n");
    expect(text).toContain('+++ "b/src/neu \\303\\274.txt"\n@@ -0,0 +1,1 @@\n+new\n\\ No newline at end of file\n');
    expect(text).toContain("diff --git a/empty b/empty\nnew file mode 100644\n");
    expect(text).not.toContain("ignored");
    expect(git("status", "--porcelain")).toBe(status);
  });

  it("shows everything before the first commit", async () => {
    git("add", "a.txt");
    const text = await diffs();
    expect(text).toContain("+++ b/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n");
    expect(text).toContain("+++ b/b.txt");
  });

  it("answers what apply_patch understands", async () => {
    commit();
    folder.write("a.txt", "one\n2\n");
    folder.write("sub/neu ü.txt", "c");
    folder.write("empty", "");
    rmSync(folder.at("b.txt"));
    const wanted = folder.all();
    const patch = String(await diffs());
    git("stash", "-qu");
    expect(folder.all()).not.toEqual(wanted);
    await folder.call(applyPatch, { patch });
    expect(folder.all()).toEqual(wanted);
  });

  it("says that a folder is no repository, also inside of another one", async () => {
    rmSync(folder.at(".git"), { recursive: true });
    await expect(diffs()).rejects.toThrow("the workspace is no git repository");
    execFileSync("git", ["init", "-q"], { cwd: folder.outside });
    await expect(diffs()).rejects.toThrow("the workspace is no git repository");
  });

  it("starts nothing that the repository names", async () => {
    const trace = path.join(folder.outside, "trace");
    const script = path.join(folder.outside, "script.sh");
    writeFileSync(script, `#!/bin/sh\necho "$0 $@" >> ${trace}\ncat\n`, { mode: 0o755 });
    folder.write(".gitattributes", "*.txt filter=evil diff=evil\n");
    commit();
    const settings = ["diff.external", "core.fsmonitor", "core.pager", "diff.evil.command", "diff.evil.textconv"];
    for (const name of [...settings, "filter.evil.clean", "filter.evil.process", "core.sshCommand"])
      git("config", name, script);
    git("config", "filter.evil.required", "true");
    folder.write(".git/hooks/post-index-change", `#!/bin/sh\n${script}\n`);
    execFileSync("chmod", ["+x", folder.at(".git/hooks/post-index-change")]);
    folder.write("a.txt", "one\nTWO\n");
    expect(await diffs()).toContain("-two\n+TWO\n");
    expect(existsSync(trace)).toBe(false);
  });

  it("shows nothing from outside, by settings or by links", async () => {
    folder.write("secret.txt", "mine");
    commit();
    symlinkSync(folder.secret, folder.at("link"));
    folder.write("picture.png", Buffer.from([0x89, 0, 1]));
    git("config", "core.worktree", folder.outside);
    const text = await diffs();
    expect(text).toContain('[new: "link" leads out of the workspace through a link]');
    expect(text).toContain('[new: "picture.png" is a binary file (3 bytes)');
    expect(text).not.toContain("secret.txt");
  });

  it("cuts a large diff, and says so", async () => {
    commit();
    folder.write("large", "line of text\n".repeat(18_000));
    const text = String(await diffs());
    expect(text.length).toBeLessThan(200_000);
    expect(text).toMatch(/\n\[cut: \d+ more characters of the diff]$/);
  });
});
