import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");
const biome = path.join(root, "node_modules/@biomejs/biome/bin/biome");

/** Rules that the linter finds broken in `code`, as if it stood at `file` in this project. */
function brokenRules(folder: string, file: string, code: string): string[] {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, code);
  try {
    execFileSync(process.execPath, [biome, "lint", "--reporter=json", file], { cwd: folder, stdio: "pipe" });
    return [];
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    return [...new Set([...output.matchAll(/"category":"lint\/([\w/]+)"/g)].map((match) => String(match[1])))];
  } finally {
    rmSync(target);
  }
}

const sourceFiles = (room: string): string[] =>
  readdirSync(path.join(root, room), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|bench|arbitrary)\.tsx?$/.test(file))
    .map((file) => path.join(room, file));

const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

describe("the arrows between the rooms", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-arrows-"));
    for (const file of [".biome.json", ".gitignore", "package.json"])
      cpSync(path.join(root, file), path.join(folder, file));
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    execFileSync("git", ["init", "-q"], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const imports = "style/noRestrictedImports";
  const wrong: [file: string, code: string, rule: string][] = [
    ["lib/core/flow/a.ts", `import "node:fs";\n`, imports],
    ["lib/core/run/a.ts", `import "react";\n`, imports],
    ["lib/core/run/a.ts", `import "openai";\n`, imports],
    ["lib/core/trace/a.ts", `import "@xyflow/react";\n`, imports],
    ["lib/core/source/a.ts", `import "../../server/db";\n`, imports],
    ["lib/core/source/a.ts", `import "@/lib/server/db";\n`, imports],
    ["lib/core/flow/a.ts", `import "../dsl/parse";\n`, imports],
    ["lib/core/dsl/a.ts", `import "../source/read-source";\n`, imports],
    ["lib/core/flow/a.ts", `import "../condition/parse";\n`, imports],
    ["lib/core/dsl/a.ts", `import "../condition/parse";\n`, imports],
    ["lib/core/trace/a.ts", `import "../condition/parse";\n`, imports],
    ["lib/core/condition/a.ts", `import "../dsl/parse";\n`, imports],
    ["lib/core/condition/a.ts", `import "../run/run-flow";\n`, imports],
    ["lib/core/condition/a.ts", `import "yaml";\n`, imports],
    ["lib/core/run/a.ts", `import "re2js";\n`, imports],
    ["lib/core/source/a.ts", `import "../run/run-flow";\n`, imports],
    ["lib/core/source/formats/a.ts", `import "../../run/run-flow";\n`, imports],
    ["lib/core/source/a.ts", `import "@lezer/python";\n`, imports],
    ["lib/core/run/a.ts", `import "../trace/fold";\n`, imports],
    ["lib/core/trace/a.ts", `import "../run/run-flow";\n`, imports],
    ["lib/core/run/a.ts", `export const now = Date.now();\n`, "style/noRestrictedGlobals"],
    ["lib/core/run/a.ts", `export const x = fetch("/");\n`, "style/noRestrictedGlobals"],
    ["lib/server/flows/a.ts", `import "@/app/page";\n`, imports],
    ["lib/server/flows/a.ts", `import "next/headers";\n`, imports],
    ["lib/server/flows/a.ts", `import "@/prisma/client";\n`, imports],
    ["lib/server/runs/a.ts", `import "openai";\n`, imports],
    ["lib/server/tools/a.ts", `import "undici";\n`, imports],
    ["lib/server/net/a.ts", `import "openai";\n`, imports],
    ["lib/server/runs/a.ts", `export const key = process.env.OPENAI_API_KEY;\n`, "style/noProcessEnv"],
    ["lib/cli/a.ts", `import "@/app/page";\n`, imports],
    ["lib/cli/a.ts", `import "next";\n`, imports],
    ["app/a.ts", `import "@/lib/cli/main";\n`, imports],
    ["app/a.ts", `import "@prisma/client";\n`, imports],
    ["app/a.ts", `import "@anthropic-ai/sdk";\n`, imports],
    ["app/flows/[id]/_editor/a.ts", `import "@/app/_run-view/waterfall/waterfall";\n`, imports],
    ["app/_run-view/a.ts", `import "@/app/flows/[id]/_editor/store";\n`, imports],
  ];
  it.each(wrong)("refuses in %s: %s", (file, code, rule) => {
    expect(brokenRules(folder, file, code)).toContain(rule);
  });

  const right: [file: string, code: string][] = [
    ["lib/core/flow/a.ts", `import "zod";\nimport "./graph";\n`],
    ["lib/core/source/a.ts", `import "yaml";\nimport "../dsl/parse";\nimport "../flow/flow";\n`],
    ["lib/core/condition/a.ts", `import "re2js";\nimport "../flow/problem";\nimport "./lexer";\n`],
    ["lib/core/source/a.ts", `import "../condition/parse";\n`],
    ["lib/core/source/formats/a.ts", `import "@lezer/python";\nimport "../read-source";\n`],
    ["lib/core/run/a.ts", `import "../condition/evaluate";\n`],
    ["lib/core/trace/a.ts", `import "../run/events";\n`],
    ["lib/server/models/a.ts", `import "openai";\nimport "@/lib/core/run/model";\n`],
    ["lib/server/net/a.ts", `import "undici";\n`],
    ["lib/server/db.ts", `import "@/prisma/client";\n`],
    ["lib/cli/server/next-app.ts", `import "next";\n`],
    ["app/a.ts", `import "@/lib/core/flow/flow";\nimport "@/lib/server/flows/queries";\n`],
  ];
  it.each(right)("allows in %s: %s", (file, code) => {
    expect(brokenRules(folder, file, code)).toEqual([]);
  });

  it("every server file begins with server-only", () => {
    const missing = sourceFiles("lib/server").filter(
      (file) => !/^(\/\*[\s\S]*?\*\/\s*)?import "server-only";/.test(read(file)),
    );
    expect(missing).toEqual([]);
  });

  it("canvas-mapping.ts alone knows both the flow's and React Flow's shapes", () => {
    const both = sourceFiles("app").filter((file) => {
      const text = read(file);
      return text.includes('"@xyflow/react"') && /from "@\/lib\/core\/flow\/(flow|arrange)[\w-]*"/.test(text);
    });
    expect(both.map((file) => path.basename(file))).toEqual(["canvas-mapping.ts"]);
  });

  it("core takes chance from the context only", () => {
    expect(sourceFiles("lib/core").filter((file) => read(file).includes("Math.random"))).toEqual([]);
  });

  it("the lockfile holds the binaries of every platform", () => {
    const { packages }: { packages: Record<string, { optionalDependencies?: Record<string, string> }> } = JSON.parse(
      read("package-lock.json"),
    );
    const locked = new Set(Object.keys(packages).map((key) => key.split("node_modules/").at(-1)));
    const missing = Object.values(packages)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .filter((name) => !locked.has(name));
    expect(missing).toEqual([]);
  });

  it("nothing but the rooms stands at the top", () => {
    const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
    const top = new Set(tracked.map((file) => String(file.split("/")[0])).filter((name) => !name.startsWith(".")));
    expect([...top].sort()).toEqual(
      [
        "LICENSE",
        "README.md",
        "app",
        "e2e",
        "lib",
        "next.config.js",
        "package-lock.json",
        "package.json",
        "prisma",
        "tsconfig.json",
      ].sort(),
    );
  });
});
