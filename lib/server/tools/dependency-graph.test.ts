import { symlinkSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { measureLongestBlock } from "../testing/longest-block";
import { dependencyGraph } from "./dependency-graph";
import { findCycles } from "./imports/find-cycles";
import { readImports } from "./imports/read-imports";
import { resolveImport } from "./imports/resolve";
import { TestFolder } from "./testing/folder";

let folder: TestFolder | undefined;
afterEach(() => folder?.remove());

async function graph(files: Readonly<Record<string, string>>, given: object = {}) {
  folder = new TestFolder(files);
  return folder.call(dependencyGraph, given);
}

const specifiers = (name: string, text: string) => readImports(name, text).map((one) => one.specifier);

describe("dependency_graph", () => {
  it("joins JavaScript and TypeScript files by their imports", async () => {
    const answer = await graph({
      "src/a.ts": `import { b } from "./b.js";\nimport "@/src/d";\nexport * from "../lib";\nimport fs from "node:fs";`,
      "src/b.tsx": `const a = await import("./a");\nimport x from "@scope/pkg/deep";\nconst t = <p>don't import "./no"</p>;`,
      "src/d.mjs": `const y = require("lodash/get");\nrequire("./gone");`,
      "lib/index.js": `module.exports = require("../src/d");`,
      "node_modules/lodash/get.js": "",
      ".hidden/x.js": "",
      "notes.md": "",
    });
    expect(answer).toEqual({
      files: ["lib/index.js", "src/a.ts", "src/b.tsx", "src/d.mjs"],
      edges: [
        { from: "lib/index.js", to: "src/d.mjs" },
        { from: "src/a.ts", to: "lib/index.js" },
        { from: "src/a.ts", to: "src/b.tsx" },
        { from: "src/a.ts", to: "src/d.mjs" },
        { from: "src/b.tsx", to: "src/a.ts" },
      ],
      external: { "@scope/pkg": 1, lodash: 1, "node:fs": 1 },
      cycles: [["src/a.ts", "src/b.tsx"]],
      unresolved: [{ from: "src/d.mjs", specifier: "./gone" }],
    });
  });

  it("joins Python files by theirs", async () => {
    const answer = await graph({
      "app/__init__.py": "",
      "app/main.py": `import os, json as j\nfrom . import util, models as m\nfrom .deep.core import (run, # why\n  stop)\nimport numpy.linalg`,
      "app/util.py": `"""import nothing"""\nfrom app.models import User\n`,
      "app/models.py": "import app.util\nfrom .gone import x\n",
      "app/deep/__init__.py": "",
      "app/deep/core.py": "from .. import util; import sibling\n",
      "app/deep/sibling.py": "from ...above import y\n",
    });
    expect(answer).toMatchObject({
      edges: [
        { from: "app/main.py", to: "app/deep/core.py" },
        { from: "app/main.py", to: "app/models.py" },
        { from: "app/main.py", to: "app/util.py" },
        { from: "app/models.py", to: "app/util.py" },
        { from: "app/util.py", to: "app/models.py" },
        { from: "app/deep/core.py", to: "app/deep/sibling.py" },
        { from: "app/deep/core.py", to: "app/util.py" },
      ],
      external: { json: 1, numpy: 1, os: 1 },
      cycles: [["app/models.py", "app/util.py"]],
      unresolved: [
        { from: "app/models.py", specifier: ".gone" },
        { from: "app/deep/sibling.py", specifier: "...above" },
      ],
    });
  });

  it("looks into one folder, reads a bounded number of files, and reports what it left out", async () => {
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, nth) => [`src/f${nth}.ts`, ""]));
    const many = await graph({ "other.ts": "", ...files }, { path: "src", max_files: 4 });
    expect(many).toMatchObject({
      files: ["src/f0.ts", "src/f1.ts", "src/f2.ts", "src/f3.ts"],
      notes: ["only the first 4 files were read"],
    });
    folder?.remove();
    const large = await graph({ "large.js": `import "./x";${" ".repeat(300_000)}`, "x.js": "" });
    expect(large).toMatchObject({
      files: ["large.js", "x.js"],
      edges: [],
      notes: [expect.stringContaining("too large")],
    });
  });

  it("stays in the workspace", async () => {
    folder = new TestFolder({ "a.ts": "" });
    symlinkSync(folder.outside, folder.at("up"));
    symlinkSync("..", folder.at("loop"));
    symlinkSync(folder.secret, folder.at("secret.ts"));
    expect(await folder.call(dependencyGraph, {})).toMatchObject({ files: ["a.ts"] });
    for (const path of ["..", "up", "loop", "/"])
      await expect(folder.call(dependencyGraph, { path })).rejects.toThrow(/out of the workspace|absolute/);
    await expect(folder.call(dependencyGraph, { path: "nope" })).rejects.toThrow('there is no "nope"');
  });

  it("holds no one up, whatever a file contains", async () => {
    const hostileFiles = {
      "comments.ts": `${"/*".repeat(9_000)}\n`.repeat(13),
      "long.ts": `import "${"../".repeat(80_000)}x";`,
      "long-line.py": `from ${".".repeat(200_000)}a import b`,
      "many.ts": 'import "./a";\nimport "./b";\n'.repeat(4_000),
      "names.py": `from a import (${Array.from({ length: 20_000 }, (_, nth) => `n${nth},\n`).join("")})`,
      "z.ts": 'import "./many";',
    };
    const { result, longestBlockMs } = await measureLongestBlock(() => graph(hostileFiles));
    expect(longestBlockMs).toBeLessThan(2_000);
    expect(result).toMatchObject({
      edges: [{ from: "z.ts", to: "many.ts" }],
      notes: [
        expect.stringMatching(/^not read: comments\.ts: .*at most 2 s/),
        expect.stringMatching(/^not read: long-line\.py has a line/),
        expect.stringMatching(/^not read: long\.ts has a line/),
        expect.stringMatching(/^names\.py: only the first 1000/),
      ],
    });
  });

  it("gives no path of more than 500 characters to the file system's rules", () => {
    const specifier = `${"../".repeat(5_000)}x`;
    const known = new Set(["a.ts"]);
    const started = performance.now();
    expect(resolveImport("a.ts", { specifier, names: [] }, known)).toEqual({
      type: "unresolved",
      specifier: `${specifier.slice(0, 100)}…`,
    });
    expect(resolveImport("a.py", { specifier: ".".repeat(200_000), names: ["a"] }, known).type).toBe("unresolved");
    expect(performance.now() - started).toBeLessThan(100);
  });

  it("ends when the run is cancelled", async () => {
    folder = new TestFolder({ "a.ts": "" });
    await expect(folder.call(dependencyGraph, {}, AbortSignal.abort(new Error("cancelled")))).rejects.toThrow();
  });
});

describe("readImports", () => {
  it("finds each form of an import, and nothing in texts and comments", () => {
    const text = `import a, { b } from "a1"; import type { T } from 'a2'; import "a3"; export { x } from "a4";
      type Q = import("a5").Q; import f = require("a6"); // import "no"
      const t = \`import "no"\`, s = 'require("no")'; x.require("no"); require(name); export const z = "no";
      /* import "no" */ import("a1"); import * as n from "a7"`;
    expect(specifiers("a.ts", text).sort()).toEqual(["a1", "a2", "a3", "a4", "a5", "a6", "a7"]);
  });

  it("reads on after mistakes", () => {
    expect(specifiers("a.ts", `const = ;\nimport "a1" "b";\nfunction f( }\nimport "a2";`)).toContain("a2");
    expect(specifiers("a.py", "def (:\nimport a1\nimport\nfrom x\nimport a2 as\n")).toEqual(
      expect.arrayContaining(["a1"]),
    );
  });

  it("reads any text without failing", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("a.ts", "a.tsx", "a.js", "a.py"), (text, name) => {
        expect(Array.isArray(readImports(name, `import ${text}`))).toBe(true);
      }),
    );
  });
});

describe("findCycles", () => {
  const toMap = (edges: readonly (readonly [number, number])[]) => {
    const map = new Map<string, string[]>();
    for (const [from, to] of edges) map.set(`${from}`, [...(map.get(`${from}`) ?? []), `${to}`]);
    return map;
  };

  it("finds the groups that reach each other", () => {
    expect(
      findCycles(
        toMap([
          [1, 2],
          [2, 3],
          [3, 1],
          [3, 4],
          [4, 4],
          [5, 1],
        ]),
      ),
    ).toEqual([["1", "2", "3"], ["4"]]);
  });

  it("agrees with plain reachability on any graph", () => {
    const edge = fc.tuple(fc.nat(6), fc.nat(6));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 20 }), (edges) => {
        const map = toMap(edges);
        const reach = (from: string, seen = new Set<string>()): Set<string> => {
          for (const to of map.get(from) ?? []) if (!seen.has(to)) reach(to, seen.add(to));
          return seen;
        };
        const inCycle = [...map.keys()].filter((node) => reach(node).has(node)).sort();
        const groups = findCycles(map);
        expect(groups.flat().sort()).toEqual(inCycle);
        for (const group of groups)
          for (const one of group)
            expect(inCycle.filter((other) => reach(one).has(other) && reach(other).has(one))).toEqual(group);
      }),
    );
  });

  it("needs no deep stack", () => {
    const chain = Array.from({ length: 50_000 }, (_, nth): [number, number] => [nth, nth + 1]);
    expect(findCycles(toMap([...chain, [50_000, 0]]))[0]).toHaveLength(50_001);
  });
});
