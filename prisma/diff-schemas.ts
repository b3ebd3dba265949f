import { readFileSync } from "node:fs";
import path from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type { DatabaseKind } from "./migrate";

const folder = path.join(import.meta.dirname, "../node_modules/@prisma/schema-engine-wasm");

/** The SQL script for databases of this kind that turns one of schema `oldSchema` (null: empty) into one of `newSchema`. */
export async function diffSchemas(kind: DatabaseKind, oldSchema: string | null, newSchema: string): Promise<string> {
  const { SchemaEngine } = await loadEngine();
  const adapter = bindMigrationAwareSqlAdapterFactory(kind === "sqlite" ? sqlite : offlinePostgres);
  const toFile = (schema: string) => ({
    path: "schema.prisma",
    content: schema.replace('provider = "sqlite"', `provider = "${kind}"`),
  });
  const { path: file, content } = toFile(newSchema);
  const engine = await SchemaEngine.new({ datamodels: [[file, content]] }, () => {}, adapter);
  const toTarget = (schema: string) => ({ tag: "schemaDatamodel", files: [toFile(schema)] });
  const { stdout } = await engine.diff({
    from: oldSchema === null ? { tag: "empty" } : toTarget(oldSchema),
    to: toTarget(newSchema),
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return kind === "sqlite" ? stdout : toPostgres(stdout);
}

let engineBindings: ReturnType<typeof startEngine> | undefined;

/** The engine can be started once in a process. */
function loadEngine(): ReturnType<typeof startEngine> {
  engineBindings ??= startEngine();
  return engineBindings;
}

async function startEngine() {
  const bindings = await import(path.join(folder, "schema_engine_bg.js"));
  const module = new WebAssembly.Module(readFileSync(path.join(folder, "schema_engine_bg.wasm")));
  const instance = new WebAssembly.Instance(module, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
  return bindings;
}

const sqlite = new PrismaBetterSqlite3({ url: ":memory:" });

/**
 * Texts are compared byte by byte, as SQLite does, whatever the locale of the database: one order of lists, and `lower`
 * changes the same letters. The schema `public` exists, and its creation needs a privilege that an owner of tables may lack.
 * An entry of an index has at most 2.7 KB: paths of steps may be longer, and the primary key finds the steps of a run, too.
 */
const toPostgres = (script: string): string =>
  script
    .replace(/^-- CreateIndex\nCREATE INDEX "RunNode_runId_path_idx" .*\n\n?/m, "")
    .replace('-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n\n', "")
    .replaceAll(/^( +(?:ADD COLUMN +)?"\w+" TEXT)\b|(ADD COLUMN +"\w+" TEXT)\b/gm, '$1$2 COLLATE "C"');

/** Before it compares two schemas the engine asks the server for its version: this one is the oldest that is supported. */
const version = { columnNames: ["exists", "version", "numeric_version"], rows: [[true, "PostgreSQL 14.0", 140_000]] };

const offlineConnection: SqlDriverAdapter = {
  provider: "postgres",
  adapterName: "offline",
  queryRaw: async () => ({
    ...version,
    columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
  }),
  executeRaw: () => refuse(),
  executeScript: () => refuse(),
  startTransaction: () => refuse(),
  getConnectionInfo: () => ({ schemaName: "public", supportsRelationJoins: true }),
  dispose: async () => {},
};

async function refuse(): Promise<never> {
  throw new Error("comparing two schemas changes no database");
}

const offlinePostgres: SqlMigrationAwareDriverAdapterFactory = {
  provider: "postgres",
  adapterName: "offline",
  connect: async () => offlineConnection,
  connectToShadowDb: async () => offlineConnection,
};
