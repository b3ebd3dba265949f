import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { build, type Plugin } from "esbuild";
import { randomUUID, sleep } from "../time/clocks";
import type { startProgram } from "./main";
import { type Mend, type MendRemoval, mends, readWithout } from "./mends";

const project = path.join(import.meta.dirname, "../../..");

/**
 * Folders without state, which all simulated processes share: loading them for each would take most of a simulation. Models
 * and tools belong to them because those of the simulated runs are ports.
 */
const sharedFolders = /^@\/(?:prisma|lib\/core|lib\/templates|lib\/server\/models|lib\/server\/tools)\//;

/**
 * Performs work without following it. The product follows work to name what held the event loop, which has no meaning under
 * simulated time, and following every promise of every process that ever started would take most of a simulation.
 */
class UntrackedStorage {
  run<Result>(_store: unknown, perform: () => Result): Result {
    return perform();
  }
  getStore(): never {
    throw new Error("expected no code of a simulated process to ask for the work that it belongs to");
  }
}

interface ProgramModule {
  startProgram: typeof startProgram;
}

const isProgramModule = (value: unknown): value is ProgramModule =>
  typeof value === "object" && value !== null && "startProgram" in value && typeof value.startProgram === "function";

/**
 * The code of the server as a function that loads it anew with each call, as the start of a process does: with state of its
 * own in all modules, and with globals of its own. `without`: a mend that is taken out of it.
 */
export async function loadServerCode(without: Mend | null): Promise<() => ProgramModule["startProgram"]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: project,
    entryPoints: ["lib/simulate/program/main.ts"],
    bundle: true,
    write: false,
    metafile: true,
    outfile: "server.cjs",
    platform: "node",
    format: "cjs",
    target: "node20",
    packages: "external",
    sourcemap: "inline",
    sourcesContent: false,
    alias: { "server-only": path.join(project, "node_modules/server-only/empty.js") },
    define: { "import.meta.url": JSON.stringify(pathToFileURL(path.join(project, "lib/server/server.ts")).href) },
    logLevel: "error",
    plugins: [
      ...(without === null ? [] : [takeOut(mends[without])]),
      {
        name: "shared-folders",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^(?:@|\.{1,2})\// }, ({ path: name, resolveDir }) => {
            const shared = toProjectName(name, resolveDir);
            return sharedFolders.test(shared) ? { path: shared, external: true } : null;
          }),
      },
    ],
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map((imported) => imported.path));
  const modules = await loadModules(new Set(imports));
  const text = outputFiles[0]?.text ?? "";
  const script = new vm.Script(`(function (require, module, exports, globalThis) {${text}\n})`, {
    filename: "simulated-server.cjs",
  });
  return () => {
    const module: { exports: unknown } = { exports: {} };
    const requireModule = (name: string): unknown => modules.get(name);
    Reflect.apply(script.runInThisContext(), undefined, [
      requireModule,
      module,
      module.exports,
      Object.create(globalThis),
    ]);
    if (!isProgramModule(module.exports)) throw new Error("expected the code of the server to export startProgram");
    return module.exports.startProgram;
  };
}

const takeOut = (removal: MendRemoval): Plugin => ({
  name: "take-out",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, (file) =>
      path.relative(project, file.path) === removal.file
        ? { contents: readWithout(removal, project), loader: "ts" }
        : null,
    ),
});

/** The name of a module of the project from its root on, however a file in `folder` names it. */
const toProjectName = (name: string, folder: string): string =>
  name.startsWith(".") ? `@/${path.relative(project, path.resolve(folder, name))}` : name;

/** The modules that the code imports: those that know time or random numbers have the simulated ones. */
async function loadModules(names: ReadonlySet<string>): Promise<Map<string, unknown>> {
  const require = createRequire(import.meta.url);
  const modules = new Map<string, unknown>();
  for (const name of names)
    modules.set(name, sharedFolders.test(name) || name === "yjs" ? await import(name) : require(name));
  modules.set("node:crypto", { ...require("node:crypto"), randomUUID });
  modules.set("node:async_hooks", { ...require("node:async_hooks"), AsyncLocalStorage: UntrackedStorage });
  modules.set("node:timers/promises", { ...require("node:timers/promises"), setTimeout: sleep });
  return modules;
}
