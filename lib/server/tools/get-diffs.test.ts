import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPatch } from "./apply-patch";
import { fileWrite } from "./file-write";
import { getDiffs } from "./get-diffs";
import { runGit } from "./git";
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
const diffs = (input: object = {}) => folder.call(getDiffs, input);

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

  it("reports a folder that is no repository, also inside another one", async () => {
    rmSync(folder.at(".git"), { recursive: true });
    await expect(diffs()).rejects.toThrow("the workspace is no git repository");
    execFileSync("git", ["init", "-q"], { cwd: folder.outside });
    await expect(diffs()).rejects.toThrow("the workspace is no git repository");
  });

  describe("of a clone inside the workspace", () => {
    const inClone = (...args: string[]) => {
      const author = ["-c", "user.name=t", "-c", "user.email=t@t.test", "-c", "commit.gpgsign=false"];
      execFileSync("git", [...author, ...args], { cwd: folder.at("clones/site"), stdio: "pipe" });
    };
    beforeEach(() => {
      commit();
      folder.write("clones/site/index.html", "old\n");
      folder.write("clones/site/pages/one.html", "1\n");
      inClone("init", "-q");
      inClone("add", "-A");
      inClone("commit", "-qm", "first");
      folder.write("clones/site/index.html", "new\n");
      folder.write("clones/site/pages/two.html", "2\n");
    });

    it.each(["clones/site", "./clones/site/"])(
      "shows its changes, with paths that apply_patch takes: %s",
      async (name) => {
        const patch = String(await diffs({ projectPath: name }));
        expect(patch).toContain(
          "--- a/clones/site/index.html\n+++ b/clones/site/index.html\n@@ -1 +1 @@\n-old\n+new\n",
        );
        expect(patch).toContain("+++ b/clones/site/pages/two.html");
        inClone("stash", "-qu");
        await folder.call(applyPatch, { patch });
        const read = (file: string) => readFileSync(folder.at(`clones/site/${file}`), "utf8");
        expect([read("index.html"), read("pages/two.html")]).toEqual(["new\n", "2\n"]);
      },
    );

    it("may be named by its whole path", async () => {
      expect(await diffs({ projectPath: folder.at("clones/site") })).toContain("+new");
    });

    it("is named where the workspace shows it as new", async () => {
      folder.write("clones/other.txt", "x");
      expect(await diffs()).toContain('[new: "clones/site" is a repository of its own; name it as projectPath]');
    });

    it("shows what is staged alone, and chosen files alone", async () => {
      const projectPath = "clones/site";
      expect(await diffs({ projectPath, staged: true })).toBe("no staged changes since the last commit");
      inClone("add", "pages");
      const staged = await diffs({ projectPath, staged: true });
      expect(staged).toContain("+++ b/clones/site/pages/two.html");
      expect(staged).not.toContain("index.html");
      const files = ["clones/site/index.html"];
      const chosen = await diffs({ projectPath, files });
      expect(chosen).toContain("+new");
      expect(chosen).not.toContain("two.html");
      expect(await diffs({ projectPath, files, staged: true })).toBe(
        "no staged changes of these files since the last commit",
      );
      expect(await diffs({ projectPath, files: ["clones/site"] })).toContain("two.html");
      expect(await diffs({ projectPath, files: ["clones/site/*.html", "clones/site/none"] })).toBe(
        "no changes of these files since the last commit",
      );
    });

    it.each([
      [{ projectPath: ".." }, "leads out of the workspace"],
      [{ projectPath: "/etc" }, "leads out of the workspace"],
      [{ projectPath: "clones" }, '"clones" is no git repository'],
      [{ projectPath: "clones/none" }, 'there is no "clones/none"'],
      [{ projectPath: "clones/site/.git" }, "belongs to git"],
      [{ projectPath: "clones/site", files: ["a.txt"] }, '"a.txt" is not in "clones/site"'],
      [{ projectPath: "clones/site", files: ["../secret"] }, "leads out of the workspace"],
    ])("refuses %j", async (input, message) => {
      await expect(diffs(input)).rejects.toThrow(message);
    });
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

  it("cuts a large diff, and marks the cut", async () => {
    commit();
    folder.write("large", "line of text\n".repeat(18_000));
    const text = String(await diffs());
    expect(text.length).toBeLessThan(200_000);
    expect(text).toMatch(/\n\[cut: \d+ more characters of the diff]$/);
  });

  it("writes nothing into the repository, and shows no file of which only the time changed", async () => {
    commit();
    utimesSync(folder.at("a.txt"), 1, 1);
    const index = readFileSync(folder.at(".git/index"));
    expect(await diffs()).toBe("no changes since the last commit");
    folder.write("b.txt", "B\n");
    expect(await diffs()).toMatch(/^diff --git a\/b.txt b\/b.txt\n/);
    expect(readFileSync(folder.at(".git/index")).equals(index)).toBe(true);
  });

  it("disables the hooks that the settings of a repository name", async () => {
    for (const [key, value] of [
      ["hook.evil.command", "touch evil"],
      ["hook.evil.event", "post-index-change"],
      ["hook.evil.EVENT", "pre-commit"],
      ["hook.post-index-change.enabled", "true"],
      ["filter.evil.process", "touch evil"],
      ["filter.evil.required", "true"],
    ] as const)
      git("config", "--add", key, value);
    const args = ["config", "--null", "--get-regexp", "^(hook|filter)\\."];
    const { text } = await runGit(folder.root, args, new AbortController().signal);
    const last = new Map(text.split("\0").map((line): [string, string] => [line.split("\n")[0] ?? "", line]));
    expect(last.get("hook.evil.event")).toBe("hook.evil.event\n");
    expect(last.get("hook.evil.enabled")).toBe("hook.evil.enabled\nfalse");
    expect(last.get("hook.post-index-change.enabled")).toBe("hook.post-index-change.enabled\nfalse");
    expect(last.get("filter.evil.process")).toBe("filter.evil.process\n");
    expect(last.get("filter.evil.required")).toBe("filter.evil.required\nfalse");
  });
});

describe("get_diffs reads no other repository", () => {
  const other = () => path.join(folder.outside, "other");
  const secret = "the other repository's secret";
  beforeEach(() => {
    mkdirSync(other());
    writeFileSync(path.join(other(), "secret.txt"), `${secret}\n`);
    const options = { cwd: other(), stdio: "pipe" } as const;
    execFileSync("git", ["init", "-q"], options);
    execFileSync("git", ["add", "-A"], options);
    const author = ["-c", "user.name=t", "-c", "user.email=t@t.test", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...author, "commit", "-qm", "first"], options);
  });
  const branch = () => readFileSync(path.join(other(), ".git/HEAD"), "utf8");
  const write = (name: string, content: string) => folder.call(fileWrite, { path: name, content });
  const expectRefused = async (message: string) => {
    await expect(diffs()).rejects.toThrow(message);
    await expect(diffs()).rejects.not.toThrow(secret);
    await expect(diffs()).rejects.not.toThrow(folder.outside);
  };

  it("when an agent makes the workspace look like a bare repository", async () => {
    rmSync(folder.at(".git"), { recursive: true });
    await write("HEAD", branch());
    await write("commondir", "../other/.git\n");
    await expectRefused("the workspace is no git repository");
    await write("config", "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
    await write("objects/info/alternates", "../../other/.git/objects\n");
    await write("refs/heads/x", "");
    await expectRefused("the workspace is no git repository");
  });

  it("when .git is a file that points to it", async () => {
    rmSync(folder.at(".git"), { recursive: true });
    folder.write(".git", "gitdir: ../other/.git\n");
    await expectRefused(".git of the workspace is a file");
  });

  it("when .git is a file that points to a folder that an agent can write", async () => {
    rmSync(folder.at(".git"), { recursive: true });
    folder.write(".git", "gitdir: store\n");
    await write("store/HEAD", branch());
    await write("store/commondir", "../../other/.git\n");
    await expectRefused(".git of the workspace is a file");
  });

  it("when .git is a link to it", async () => {
    rmSync(folder.at(".git"), { recursive: true });
    symlinkSync(path.join(other(), ".git"), folder.at(".git"));
    await expectRefused(".git of the workspace is a link");
  });

  it("when .git names it as its common folder", async () => {
    rmSync(folder.at(".git/refs"), { recursive: true });
    folder.write(".git/HEAD", branch());
    folder.write(".git/commondir", "../../other/.git\n");
    await expectRefused("commondir");
  });

  it("when .git borrows its objects", async () => {
    const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: other(), encoding: "utf8" });
    folder.write(".git/objects/info/alternates", `${path.join(other(), ".git/objects")}\n`);
    folder.write(".git/HEAD", head);
    await expectRefused("objects/info/alternates");
  });

  it.each(["objects", "refs", "HEAD", "index", "objects/pack"])(
    "when %s of .git is a link to its own",
    async (name) => {
      rmSync(folder.at(".git"), { recursive: true });
      execFileSync("cp", ["-r", path.join(other(), ".git"), folder.at(".git")]);
      rmSync(folder.at(`.git/${name}`), { recursive: true });
      symlinkSync(path.join(other(), ".git", name), folder.at(`.git/${name}`));
      await expectRefused(`${name}" in .git is a link`);
    },
  );

  it("when the settings include those of another repository", async () => {
    commit();
    git("config", "include.path", path.join(other(), ".git/config"));
    git("config", "core.worktree", other());
    folder.write("a.txt", "mine\n");
    const text = await diffs();
    expect(text).toContain("+mine\n");
    expect(text).not.toContain(secret);
  });
});
