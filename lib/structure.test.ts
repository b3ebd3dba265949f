import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { checkStructure, isSourceFile, readSources } from "../.config/structure";

const root = path.join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

const listSources = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => path.join(folder, file))
    .filter(isSourceFile);

const check = (files: Record<string, string>): string[] => checkStructure(new Map(Object.entries(files)));

describe("the structure of this project", () => {
  it("breaks no rule", () => {
    const files = ["app", "lib", "prisma"].flatMap(listSources);
    expect(checkStructure(readSources(root, files))).toEqual([]);
  });

  it("has server-only first in every server file", () => {
    const missing = listSources("lib/server").filter(
      (file) => !/^(\/\*[\s\S]*?\*\/\s*)?import "server-only";/.test(read(file)),
    );
    expect(missing).toEqual([]);
  });

  it("knows both the flow's and React Flow's shapes in app/_canvas/mapping alone", () => {
    const files = listSources("app").filter((file) => {
      const text = read(file);
      return text.includes('"@xyflow/react"') && /from "@\/lib\/core\/(flow\/flow|layout\/arrange-flow)"/.test(text);
    });
    expect(files.filter((file) => !file.startsWith("app/_canvas/mapping/"))).toEqual([]);
    expect(files).toContain("app/_canvas/mapping/canvas-mapping.ts");
  });

  it("takes random numbers in core from the context only", () => {
    expect(listSources("lib/core").filter((file) => read(file).includes("Math.random"))).toEqual([]);
  });

  it("reads the bodies of requests within a limit only", () => {
    const unlimited = ["app", "lib/server"].flatMap(listSources).filter((file) => {
      return /\brequest\.(?:(?:json|text|formData|arrayBuffer|blob)\(|body\b\??\.)/.test(read(file));
    });
    // The first one is the limit; the other one gets what the first one has read.
    expect(unlimited.toSorted()).toEqual(["lib/server/accounts/handle-auth-request.ts", "lib/server/http/route.ts"]);
    expect(read("app/api/auth/[...endpoint]/route.ts")).toContain("handleAuthRequest(await withBoundedBody(");
  });

  it("locks the binaries of every platform", () => {
    const lockSchema = z.object({
      packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() })),
    });
    const { packages } = lockSchema.parse(JSON.parse(read("package-lock.json")));
    const locked = new Set(Object.keys(packages).map((key) => key.split("node_modules/").at(-1)));
    const missing = Object.values(packages)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .filter((name) => !locked.has(name));
    expect(missing).toEqual([]);
  });

  it("has nothing else at the top level", () => {
    const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
    const top = new Set(tracked.map((file) => String(file.split("/")[0])).filter((name) => !name.startsWith(".")));
    expect([...top].sort()).toEqual(
      [
        "Dockerfile",
        "LICENSE",
        "README.md",
        "app",
        "compose.yaml",
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

describe("the dependency table", () => {
  const forbidden: [file: string, specifier: string][] = [
    ["lib/core/flow/a.ts", "node:fs"],
    ["lib/core/flow/a.ts", "../dsl/parse"],
    ["lib/core/flow/a.ts", "../condition/parse"],
    ["lib/core/flow/a.ts", "../kinds/registry"],
    ["lib/core/kinds/a.ts", "../check/check"],
    ["lib/core/dsl/a.ts", "../source/read-source"],
    ["lib/core/dsl/a.ts", "../condition/parse"],
    ["lib/core/condition/a.ts", "../dsl/parse"],
    ["lib/core/condition/a.ts", "../run/run-flow"],
    ["lib/core/condition/a.ts", "yaml"],
    ["lib/core/source/a.ts", "../../server/db"],
    ["lib/core/source/a.ts", "@/lib/server/db"],
    ["lib/core/source/a.ts", "../run/run-flow"],
    ["lib/core/source/a.ts", "@lezer/python"],
    ["lib/core/source/formats/a.ts", "../../run/run-flow"],
    ["lib/core/run/a.ts", "react"],
    ["lib/core/run/a.ts", "openai"],
    ["lib/core/run/a.ts", "re2js"],
    ["lib/core/run/a.ts", "../trace/fold"],
    ["lib/core/run/a.ts", "../source/read-source"],
    ["lib/core/trace/a.ts", "@xyflow/react"],
    ["lib/core/trace/a.ts", "../condition/parse"],
    ["lib/core/trace/a.ts", "../run/run-flow"],
    ["lib/server/flows/a.ts", "@/app/page"],
    ["lib/server/flows/a.ts", "next/headers"],
    ["lib/server/flows/a.ts", "@/prisma/client"],
    ["lib/server/runs/a.ts", "openai"],
    ["lib/server/runs/a.ts", "better-sqlite3"],
    ["lib/server/tools/a.ts", "undici"],
    ["lib/server/net/a.ts", "openai"],
    ["lib/cli/a.ts", "@/app/page"],
    ["lib/cli/a.ts", "next"],
    ["app/a.ts", "@/lib/cli/main"],
    ["app/a.ts", "@prisma/client"],
    ["app/a.ts", "@anthropic-ai/sdk"],
    ["app/_ui/a.ts", "@/app/runs/page"],
    ["app/_canvas/a.ts", "@/app/flows/[id]/_editor/state/view"],
    ["app/_run-view/a.ts", "@/app/flows/[id]/_editor/state/view"],
    ["app/flows/[id]/_editor/panels/run/a.ts", "@/app/_run-view/timeline/timeline"],
    ["app/flows/[id]/_editor/state/a.ts", "../commands/editor-commands"],
    ["app/flows/[id]/_editor/commands/a.ts", "../panels/canvas/canvas"],
    ["app/flows/[id]/_editor/panels/text/a.ts", "../../shell/panes"],
  ];
  it.each(forbidden)("refuses in %s: %s", (file, specifier) => {
    expect(check({ [file]: `import "${specifier}";\n` })).toEqual([expect.stringContaining(`${file} must not import`)]);
  });

  it("refuses imports of types, exports from elsewhere and dynamic imports too", () => {
    const file = "lib/core/flow/a.ts";
    for (const code of [
      `import type { Run } from "../run/run";`,
      `export * from "../run/run";`,
      `export const run = () => import("../run/run");`,
    ])
      expect(check({ [file]: code }), code).toEqual([expect.stringContaining("must not import lib/core/run/run")]);
  });

  it("refuses a folder that it does not name", () => {
    expect(check({ "lib/new-folder/a.ts": "" })).toEqual([
      "lib/new-folder/a.ts is in no folder of .config/dependencies.ts",
    ]);
  });

  const allowed: [file: string, specifiers: string[]][] = [
    ["lib/core/flow/a.ts", ["zod", "zod/mini", "./graph"]],
    ["lib/core/source/a.ts", ["yaml", "../dsl/parse", "../flow/flow", "../condition/parse"]],
    ["lib/core/condition/a.ts", ["re2js", "../flow/problem", "./lexer"]],
    ["lib/core/source/formats/import/python/a.ts", ["@lezer/python", "../../../read/read-source"]],
    ["lib/core/run/a.ts", ["../condition/evaluate"]],
    ["lib/core/trace/a.ts", ["../run/events/events"]],
    ["lib/server/models/a.ts", ["openai", "@/lib/core/run/ports/model", "node:fs"]],
    ["lib/server/net/a.ts", ["undici"]],
    ["lib/server/db.ts", ["@/prisma/client"]],
    ["lib/cli/server/next-app.ts", ["next"]],
    ["app/a.ts", ["@/lib/core/flow/flow", "@/lib/server/flows/queries", "react"]],
  ];
  it.each(allowed)("allows in %s: %s", (file, specifiers) => {
    expect(check({ [file]: specifiers.map((specifier) => `import "${specifier}";\n`).join("") })).toEqual([]);
  });
});

describe("the other rules of structure", () => {
  it("refuse an import cycle, also of types", () => {
    const files = {
      "lib/core/flow/a.ts": `import type { B } from "./b";`,
      "lib/core/flow/b.ts": `import { c } from "./c";`,
      "lib/core/flow/c.ts": `import { a } from "@/lib/core/flow/a";`,
    };
    expect(check(files)).toEqual(["cycle: lib/core/flow/a.ts <-> lib/core/flow/b.ts <-> lib/core/flow/c.ts"]);
  });

  it("refuse a cycle of folders without a cycle of files, but not a folder and its sub-folder", () => {
    const files = {
      "app/a/one.ts": `import "../b/one";`,
      "app/b/one.ts": "",
      "app/b/two.ts": `import "../a/two";`,
      "app/a/two.ts": `import "./sub/one";`,
      "app/a/sub/one.ts": `import "../three";`,
      "app/a/three.ts": "",
    };
    expect(check(files)).toEqual(["cycle: app/a <-> app/b"]);
  });

  it("refuse a folder of more than 25 source files", () => {
    const files = Array.from({ length: 26 }, (_, index) => [`lib/core/flow/file-${index}.ts`, ""]);
    expect(check(Object.fromEntries(files.slice(0, 25)))).toEqual([]);
    expect(check(Object.fromEntries(files))).toEqual(["lib/core/flow has 26 source files, at most 25 are allowed"]);
  });

  it("refuse a function of more than 60 lines", () => {
    const lines = (count: number) => `export function count() {\n${"  next();\n".repeat(count - 2)}}\n`;
    expect(check({ "lib/core/flow/a.ts": lines(60) })).toEqual([]);
    expect(check({ "lib/core/flow/a.ts": lines(61) })).toEqual([
      "lib/core/flow/a.ts:1: 61 lines, at most 60 in a function",
    ]);
  });

  it("refuse a component with more than 6 props", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const component = (props: string[]) =>
      `interface ViewProps { ${props.map((name) => `${name}: string;`).join(" ")} }\nexport function View(props: ViewProps) { return <p {...props} />; }`;
    expect(check({ "app/a.tsx": component(names.slice(1)) })).toEqual([]);
    expect(check({ "app/a.tsx": component(names) })).toEqual(["app/a.tsx: View has 7 props, at most 6 are allowed"]);
    const destructured = `export function View({ ${names.join(", ")} }: ViewProps) { return null; }`;
    expect(check({ "app/a.tsx": destructured })).toEqual(["app/a.tsx: View has 7 props, at most 6 are allowed"]);
  });
});

describe("what the linter refuses", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-lint-"));
    for (const file of [".biome.json", ".gitignore", "package.json"])
      cpSync(path.join(root, file), path.join(folder, file));
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    execFileSync("git", ["init", "-q"], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Rules that the linter finds broken in these files. */
  function findBrokenRules(files: Record<string, string>): string[] {
    for (const [file, code] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), code);
    }
    const biome = path.join(root, "node_modules/@biomejs/biome/bin/biome");
    try {
      execFileSync(process.execPath, [biome, "lint", "--reporter=json", "."], { cwd: folder, stdio: "pipe" });
      return [];
    } catch (error) {
      const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
      return [...output.matchAll(/"category":"lint\/([\w/]+)"/g)].map((match) => String(match[1])).sort();
    }
  }

  it("is the clock, the network and the environment in the wrong place", () => {
    expect(findBrokenRules({ "lib/core/run/clock.ts": "export const now = () => 1;\n" })).toEqual([]);
    const broken = {
      "lib/core/run/clock.ts": "export const now = Date.now();\n",
      "lib/core/run/network.ts": `export const answer = fetch("/");\n`,
      "lib/server/runs/key.ts": "export const key = process.env.OPENAI_API_KEY;\n",
    };
    expect(findBrokenRules(broken)).toEqual([
      "style/noProcessEnv",
      "style/noRestrictedGlobals",
      "style/noRestrictedGlobals",
    ]);
  });
});
