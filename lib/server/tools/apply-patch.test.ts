import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPatch } from "./apply-patch";
import { patchText, readPatch } from "./patch";
import { TestFolder } from "./testing/folder";

const files = { "a.txt": "one\ntwo\nthree\n", "src/b.txt": "b1\nb2\n" };
let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder({ ...files, ".git/config": "[core]" });
});
afterEach(() => folder.remove());

const apply = (...patch: string[]) => folder.call(applyPatch, { patch: `${patch.join("\n")}\n` });

const changeA = ["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", " one", "-two", "+TWO", " three"];
const create = ["--- /dev/null", "+++ b/new/c.txt", "@@ -0,0 +1,2 @@", "+c1", "+c2"];
const remove = ["--- a/src/b.txt", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-b1", "-b2"];

describe("apply_patch", () => {
  it("changes, creates and deletes files in one go", async () => {
    chmodSync(folder.at("a.txt"), 0o750);
    expect(await apply(...changeA, ...create, ...remove)).toBe("changed a.txt\ncreated new/c.txt\ndeleted src/b.txt");
    expect(folder.all()).toEqual({ "a.txt": "one\nTWO\nthree\n", "new/c.txt": "c1\nc2\n" });
    expect(statSync(folder.at("a.txt")).mode & 0o777).toBe(0o750);
  });

  it("reads git's form: empty files, renames with and without changes, names without prefix", async () => {
    await apply(
      "diff --git a/empty b/empty",
      "new file mode 100644",
      "index 0000000..e69de29",
      "diff --git a/a.txt b/deep/moved.txt",
      "similarity index 60%",
      "rename from a.txt",
      "rename to deep/moved.txt",
      "--- a/a.txt",
      "+++ b/deep/moved.txt",
      ...changeA.slice(2),
    );
    await apply("diff --git a/empty b/void", "similarity index 100%", "rename from empty", "rename to void");
    await apply("--- src/b.txt", "+++ src/b.txt", "@@ -1 +1 @@", "-b1", "+B1");
    expect(folder.all()).toEqual({ "deep/moved.txt": "one\nTWO\nthree\n", "src/b.txt": "B1\nb2\n", void: "" });
  });

  it("finds hunks that have moved, and keeps Windows line ends", async () => {
    folder.write("a.txt", `${"0\n".repeat(40)}one\ntwo\nthree\n`);
    await apply(...changeA);
    expect(folder.read("a.txt")).toBe(`${"0\n".repeat(40)}one\nTWO\nthree\n`);
    folder.write("a.txt", "one\r\ntwo\r\nthree\r\n");
    await apply(...changeA);
    expect(folder.read("a.txt")).toBe("one\r\nTWO\r\nthree\r\n");
  });

  it("names the hunk that did not fit and what was found, and changes nothing", async () => {
    const asked = apply(
      ...changeA,
      ...create,
      "--- a/src/b.txt",
      "+++ b/src/b.txt",
      "@@ -1,1 +1,1 @@",
      "-b1",
      "+B1",
      "@@ -2,1 +2,1 @@",
      "-something else",
      "+B2",
    );
    await expect(asked).rejects.toThrow('hunk 2 of 2 of "src/b.txt" (@@ -2,1 +2,1 @@) does not fit');
    await expect(asked).rejects.toThrow('expected "something else" in line 2, found "b2"');
    expect(folder.all()).toEqual(files);
    expect(existsSync(folder.at("new"))).toBe(false);
  });

  it("takes everything back when the last file cannot be written", async () => {
    mkdirSync(folder.at("new/c.txt"), { recursive: true });
    await expect(apply(...changeA, ...remove, ...create)).rejects.toThrow("it is there already");
    folder.write("blocked", "a file, no folder");
    const blocked = ["--- /dev/null", "+++ b/blocked/c.txt", ...create.slice(2)];
    await expect(apply(...changeA, ...remove, ...blocked)).rejects.toThrow("is no folder");
    const long = ["--- /dev/null", `+++ b/fresh/${"x".repeat(256)}`, ...create.slice(2)];
    await expect(apply(...changeA, ...remove, ...long)).rejects.toThrow("ENAMETOOLONG");
    expect(folder.all()).toEqual({ ...files, blocked: "a file, no folder" });
    expect(existsSync(folder.at("fresh"))).toBe(false);
  });

  it("takes back what was done already when a later file gets in the way", async () => {
    chmodSync(folder.at("src/b.txt"), 0o750);
    const inside = ["--- /dev/null", "+++ b/x/y", ...create.slice(2)];
    const above = ["--- /dev/null", "+++ b/x", ...create.slice(2)];
    await expect(apply(...changeA, ...remove, ...above, ...inside)).rejects.toThrow();
    expect(folder.all()).toEqual(files);
    expect(existsSync(folder.at("x"))).toBe(false);
    expect(statSync(folder.at("src/b.txt")).mode & 0o777).toBe(0o750);
  });

  it.each([
    ["no patch", ["hello"], "expected a unified diff"],
    ["another form", ["*** Begin Patch", "*** Update File: a.txt", "@@", "-two", "+TWO"], "expected a unified diff"],
    ["a wrong count", ["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", "-one", "+ONE"], "expected a unified diff"],
    ["a hunk without a file", ["@@ -1 +1 @@", "-one", "+ONE"], "a hunk without a file"],
    ["a missing file", ["--- a/x", "+++ b/x", "@@ -1 +1 @@", "-one", "+ONE"], 'there is no "x"'],
    ["a file that is there", ["--- /dev/null", "+++ b/a.txt", "@@ -0,0 +1 @@", "+one"], "it is there already"],
    ["half a deletion", [...remove.slice(0, 2), "@@ -1 +0,0 @@", "-b1"], "does not remove all its lines"],
    [
      "the same file twice",
      [...changeA, "--- a/src/../a.txt", "+++ b/src/../a.txt", "@@ -1 +1 @@", "-one", "+1"],
      "twice",
    ],
    ["git's files", ["--- a/.git/config", "+++ b/.git/config", "@@ -1 +1 @@", "-[core]", "+[x]"], "belongs to git"],
    ["a hook", ["--- /dev/null", "+++ b/.git/hooks/post-commit", "@@ -0,0 +1 @@", "+x"], "belongs to git"],
    ["a way out", ["--- /dev/null", "+++ b/../new.txt", "@@ -0,0 +1 @@", "+x"], "leads out of the workspace"],
    [
      "another way out",
      ["--- ../secret.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-secret"],
      "leads out of the workspace",
    ],
    ["an absolute name", ["--- /dev/null", "+++ /tmp/new.txt", "@@ -0,0 +1 @@", "+x"], "is an absolute path"],
    [
      "a link",
      ["diff --git a/l b/l", "new file mode 120000", "--- /dev/null", "+++ b/l", "@@ -0,0 +1 @@", "+x"],
      "is a link",
    ],
    ["a binary file", ["diff --git a/p b/p", "index 1..2", "Binary files a/p and b/p differ"], "is binary"],
    ["a mode alone", ["diff --git a/a.txt b/a.txt", "old mode 100644", "new mode 100755"], "changes nothing"],
  ])("refuses %s", async (_name, patch, message) => {
    await expect(apply(...patch)).rejects.toThrow(message);
    expect(folder.all()).toEqual(files);
  });

  it("follows no link", async () => {
    symlinkSync(folder.secret, folder.at("out"));
    symlinkSync("a.txt", folder.at("in"));
    symlinkSync(folder.outside, folder.at("up"));
    const change = (name: string, line: string) => [`--- a/${name}`, `+++ b/${name}`, "@@ -1 +1 @@", `-${line}`, "+x"];
    await expect(apply(...change("out", "secret"))).rejects.toThrow("through a link");
    await expect(apply(...change("up/secret.txt", "secret"))).rejects.toThrow("through a link");
    await expect(apply(...change("in", "one"))).rejects.toThrow('"in" is a link');
    await expect(apply("--- /dev/null", `+++ b/${path.join("up", "x")}`, ...create.slice(2))).rejects.toThrow("link");
    expect(folder.read("out")).toBe("secret");
    expect(folder.read("in")).toBe(files["a.txt"]);
  });

  it("refuses binary and huge files", async () => {
    folder.write("binary", Buffer.from("one\n\0"));
    folder.write("huge", "one\n".repeat(300_000));
    const change = (name: string) => [`--- a/${name}`, `+++ b/${name}`, "@@ -1 +1 @@", "-one", "+ONE"];
    await expect(apply(...change("binary"))).rejects.toThrow("binary file");
    await expect(apply(...change("huge"))).rejects.toThrow("too large");
  });

  it("loses none of the patches that come at once", async () => {
    folder.write("many", Array.from({ length: 30 }, (_, nth) => `line ${nth}\n`).join(""));
    const change = (nth: number) =>
      apply("--- a/many", "+++ b/many", `@@ -${nth + 1} +${nth + 1} @@`, `-line ${nth}`, `+LINE ${nth}`);
    await Promise.all(Array.from({ length: 30 }, (_, nth) => change(nth)));
    expect(folder.read("many")).toBe(Array.from({ length: 30 }, (_, nth) => `LINE ${nth}\n`).join(""));
  });
});

describe("patchText", () => {
  it("turns any text into any other by their difference", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "-", "+", " ", "\\", "")).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const [file] = readPatch(createTwoFilesPatch("a/x", "b/x", before, after));
        expect(patchText(before, file?.hunks ?? [], "x")).toBe(after);
      }),
    );
  });

  it("gives up a patch that would take minutes to place", () => {
    const lines = "a\n".repeat(400_000);
    const hunk = [...Array<string>(50_000).fill(" a"), "-b"];
    const hunks = [{ oldStart: 1, oldLines: hunk.length, newStart: 1, newLines: hunk.length - 1, lines: hunk }];
    expect(() => patchText(lines, hunks, "x")).toThrow("takes too long to place");
  });
});
