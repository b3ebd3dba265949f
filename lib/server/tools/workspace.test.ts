import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dependencyGraph } from "./dependency-graph";
import { fileRead } from "./file-read";
import { fileWrite } from "./file-write";
import { TestFolder } from "./testing/folder";
import { Workspace } from "./workspace";
import { writeChanges } from "./workspace-write";

const files = { "a.txt": "one\ntwo\nthree\n", "src/b.txt": "b" };
let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder({ ...files, ".git/config": "[core]" });
});
afterEach(() => {
  expect(readFileSync(folder.secret, "utf8")).toBe("secret");
  folder.remove();
});

const read = (name: string, lines: object = {}) => folder.call(fileRead, { path: name, ...lines });
const write = (name: string, content = "new") => folder.call(fileWrite, { path: name, content });

describe("what lies outside of the workspace", () => {
  it.each([
    ["..", "leads out of the workspace"],
    ["../secret.txt", "leads out of the workspace"],
    ["src/../../secret.txt", "leads out of the workspace"],
    ["../workspace-other/a", "leads out of the workspace"],
    ["/etc/passwd", "is an absolute path"],
    ["C:\\Windows\\win.ini", "is an absolute path"],
    ["\\\\server\\share", "is an absolute path"],
    ["a.txt\0.png", "NUL character"],
    [" ", "found an empty one"],
  ])("is neither read nor written: %j", async (name, message) => {
    mkdirSync(`${folder.root}-other`);
    await expect(read(name)).rejects.toThrow(message);
    await expect(write(name)).rejects.toThrow(message);
    expect(folder.all()).toEqual(files);
  });

  it("is not reached by a link at the end", async () => {
    symlinkSync(folder.secret, folder.at("link"));
    symlinkSync(path.join(folder.outside, "new.txt"), folder.at("dangling"));
    await expect(read("link")).rejects.toThrow('"link" leads out of the workspace through a link');
    await expect(write("link")).rejects.toThrow("is a link; only plain files are written");
    await expect(read("dangling")).rejects.toThrow('there is no "dangling"');
    await expect(write("dangling")).rejects.toThrow("is a link");
    expect(existsSync(path.join(folder.outside, "new.txt"))).toBe(false);
  });

  it.each(["up/secret.txt", "src/up/secret.txt", "up/made/new.txt", "around/secret.txt"])(
    "is not reached by a link in the middle: %s",
    async (name) => {
      symlinkSync(folder.outside, folder.at("up"));
      symlinkSync("../..", folder.at("src/up"));
      symlinkSync("src/up", folder.at("around"));
      await expect(read(name)).rejects.toThrow("leads out of the workspace through a link");
      await expect(write(name)).rejects.toThrow("leads out of the workspace through a link");
      expect(readdirSync(folder.outside).sort()).toEqual(["secret.txt", "workspace"]);
    },
  );

  it("is not made by a link to nowhere", async () => {
    symlinkSync(path.join(folder.outside, "gone"), folder.at("dangling"));
    await expect(write("dangling/new.txt")).rejects.toThrow("leads through something that is no folder");
    expect(existsSync(path.join(folder.outside, "gone"))).toBe(false);
  });

  it("is neither read nor written when a folder becomes a link after it was checked", async () => {
    const workspace = await Workspace.open(folder.context());
    folder.write("src/secret.txt", "mine");
    const [old, deep, secret] = await Promise.all(
      ["src/b.txt", "src/deep/c.txt", "src/secret.txt"].map((name) => workspace.locate(name, "write")),
    );
    if (!old || !deep || !secret) throw new Error("not located");
    renameSync(folder.at("src"), folder.at("moved"));
    symlinkSync(folder.outside, folder.at("src"));
    await expect(writeChanges(workspace, [{ location: old, before: null, after: "new" }])).rejects.toThrow(
      "nothing was written",
    );
    await expect(writeChanges(workspace, [{ location: deep, before: null, after: "new" }])).rejects.toThrow(
      "nothing was written",
    );
    await expect(workspace.readText(secret, 99)).rejects.toThrow("leads out of the workspace");
    expect(readdirSync(folder.outside).sort()).toEqual(["secret.txt", "workspace"]);
  });

  it("is no part of it because of links that stay inside: those are read, and never written over", async () => {
    symlinkSync("a.txt", folder.at("alias"));
    symlinkSync("src", folder.at("source"));
    expect(await read("alias")).toContain("one\ntwo");
    expect(await read("source/b.txt")).toContain("\nb");
    await expect(write("alias")).rejects.toThrow("is a link");
    expect(await write("source/b.txt", "B")).toBe("replaced source/b.txt (1 bytes)");
    expect(folder.read("src/b.txt")).toBe("B");
  });
});

describe("git's own files", () => {
  it.each([
    ".git/config",
    ".GIT/hooks/x",
    "src/.git/config",
    ".git",
    ".git./x",
    "git~1/x",
    ".g\u200cit/x",
    "src/../.git/x",
  ])("are neither read nor written: %j", async (name) => {
    await expect(write(name)).rejects.toThrow("belongs to git");
    await expect(read(name)).rejects.toThrow("belongs to git");
    expect(folder.read(".git/config")).toBe("[core]");
  });

  it("are not read through a link either, nor as a source file or a folder of them", async () => {
    symlinkSync(".git", folder.at("innocent"));
    symlinkSync(".git/config", folder.at("settings"));
    folder.write(".git/hook.ts", 'import "secret-package";');
    folder.write("git~1/hook.ts", 'import "secret-package";');
    for (const name of ["innocent/config", "settings"]) await expect(read(name)).rejects.toThrow("belongs to git");
    for (const name of [".git", ".git/hook.ts", "innocent"])
      await expect(folder.call(dependencyGraph, { path: name })).rejects.toThrow("belongs to git");
    expect(await folder.call(dependencyGraph, {})).toEqual({ files: [], edges: [], external: {}, cycles: [] });
  });

  it("are not written through a link either", async () => {
    symlinkSync(".git", folder.at("innocent"));
    await expect(write("innocent/config")).rejects.toThrow("belongs to git");
    expect(folder.read(".git/config")).toBe("[core]");
  });

  it("are not written when a folder becomes a link to them after it was checked", async () => {
    const workspace = await Workspace.open(folder.context());
    const place = await workspace.locate("src/config", "write");
    renameSync(folder.at("src"), folder.at("moved"));
    symlinkSync(".git", folder.at("src"));
    await expect(writeChanges(workspace, [{ location: place, before: null, after: "new" }])).rejects.toThrow(
      "nothing was written",
    );
    expect(folder.read(".git/config")).toBe("[core]");
  });

  it.each([".gitignore", ".github/x", "git/x", "a.git/x"])("are not %s", async (name) => {
    expect(await write(name)).toBe(`created ${name} (3 bytes)`);
  });
});

describe("file_read", () => {
  it("returns the whole file or some lines, and names them", async () => {
    expect(await read("./src/../a.txt")).toBe("a.txt: lines 1 to 3 of 3\none\ntwo\nthree\n");
    expect(await read("a.txt", { from_line: 2, lines: 1 })).toBe(
      "a.txt: lines 2 to 2 of 3\ntwo\n\n[more: go on with from_line 3]",
    );
    expect(await read("a.txt", { from_line: 3, lines: 9 })).toBe("a.txt: lines 3 to 3 of 3\nthree\n");
    folder.write("empty", "");
    expect(await read("empty")).toBe("empty: empty");
  });

  it("names what it found instead of a text file", async () => {
    folder.write("picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]));
    folder.write("latin.txt", Buffer.from([0x66, 0xfc, 0x72]));
    execFileSync("mkfifo", [folder.at("pipe")]);
    await expect(read("picture.png")).rejects.toThrow("binary file (6 bytes)");
    await expect(read("latin.txt")).rejects.toThrow("only UTF-8 text is read");
    await expect(read("src")).rejects.toThrow('"src" is a folder');
    await expect(read(".")).rejects.toThrow("is a folder");
    await expect(read("pipe")).rejects.toThrow("is not a plain file");
    await expect(read("nope/a.txt")).rejects.toThrow('there is no "nope/a.txt"');
    await expect(read("a.txt/b")).rejects.toThrow("is no folder");
    await expect(read("a.txt", { from_line: 4 })).rejects.toThrow("has 3 lines");
  });

  it("answers 256 kB of a large file at once, and refuses a huge one", async () => {
    folder.write("large", `${"x".repeat(99)}\n`.repeat(10_000));
    expect(await read("large")).toMatch(
      /^large: lines 1 to 2560 of 10000\n[\s\S]{256000}\n\[more: go on with from_line 2561]$/,
    );
    folder.write("wide", `${"ü".repeat(200_000)}\nb`);
    const wide = await read("wide");
    expect(wide).toMatch(
      /^wide: lines 1 to 1 of 2\nü{128000}\n\[cut: line 1 is longer than 256000 bytes]\n\[more: .* 2]$/,
    );
    folder.write("huge", Buffer.alloc(20_000_001, "x"));
    await expect(read("huge")).rejects.toThrow("too large: expected at most 20000000 bytes, found 20000001");
  });
});

describe("file_write", () => {
  it("makes folders, replaces files, keeps permissions, leaves nothing lying about", async () => {
    expect(await write("new/deep/c.txt", "ü")).toBe("created new/deep/c.txt (2 bytes)");
    chmodSync(folder.at("a.txt"), 0o750);
    expect(await write("a.txt", "")).toBe("replaced a.txt (0 bytes)");
    expect(statSync(folder.at("a.txt")).mode & 0o777).toBe(0o750);
    expect(folder.all()).toEqual({ "a.txt": "", "new/deep/c.txt": "ü", "src/b.txt": "b" });
  });

  it("refuses binary or oversized content, and an occupied path", async () => {
    await expect(write("c", "a\0b")).rejects.toThrow("NUL");
    await expect(write("c", "ü".repeat(600_000))).rejects.toThrow(
      "expected at most 1000000 bytes of text, found 1200000",
    );
    expect(fileWrite.input.safeParse({ path: "c", content: "x".repeat(1_000_001) }).success).toBe(false);
    await expect(write("src")).rejects.toThrow("is a folder");
    await expect(write(".")).rejects.toThrow("is the workspace itself");
    await expect(write("a.txt/c/d")).rejects.toThrow("is no folder");
    expect(folder.all()).toEqual(files);
  });

  it("tells no path of the machine", async () => {
    const asked = write("x".repeat(300));
    await expect(asked).rejects.toThrow("ENAMETOOLONG");
    await expect(asked).rejects.not.toThrow(folder.outside);
  });

  it("keeps one of two texts that are written at once, and never a mixture", async () => {
    const texts = Array.from({ length: 8 }, (_, nth) => String(nth).repeat(100_000));
    await Promise.all(texts.map((text) => write("a.txt", text)));
    expect(texts).toContain(folder.read("a.txt"));
    expect(Object.keys(folder.all())).toEqual(Object.keys(files));
  });
});
