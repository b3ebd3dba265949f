import { readFileSync } from "node:fs";
import path from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";

const folder = path.join(import.meta.dirname, "../node_modules/@prisma/schema-engine-wasm");

/** The SQL script that turns a database of schema `from` (null: empty) into one of schema `to`. */
export async function diffSchemas(oldSchema: string | null, to: string): Promise<string> {
  const bindings = await import(path.join(folder, "schema_engine_bg.js"));
  const module = new WebAssembly.Module(readFileSync(path.join(folder, "schema_engine_bg.wasm")));
  const instance = new WebAssembly.Instance(module, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaBetterSqlite3({ url: ":memory:" }));
  const engine = await bindings.SchemaEngine.new({ datamodels: [["schema.prisma", to]] }, () => {}, adapter);
  const target = (content: string) => ({ tag: "schemaDatamodel", files: [{ path: "schema.prisma", content }] });
  const result = await engine.diff({
    from: oldSchema === null ? { tag: "empty" } : target(oldSchema),
    to: target(to),
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return result.stdout;
}
