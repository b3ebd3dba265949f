/**
 * `npx tsx prisma/make-migration.ts NAME [OLD.prisma]`: writes the SQL that leads from the old schema (none: an empty
 * database) to schema.prisma as the next file of each folder of migrations. Works offline: the schema engine's
 * WebAssembly build compares two schemas without a database.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { diffSchemas } from "./diff-schemas";
import { databaseKinds } from "./migrate";

const [name, oldFile] = process.argv.slice(2);
if (!name) throw new Error("usage: npx tsx prisma/make-migration.ts NAME [OLD.prisma]");
const oldSchema = oldFile === undefined ? null : readFileSync(oldFile, "utf8");
const newSchema = readFileSync(path.join(import.meta.dirname, "schema.prisma"), "utf8");
const folders = databaseKinds.map((kind) => ({ kind, folder: path.join(import.meta.dirname, "migrations", kind) }));
const names = folders.flatMap(({ folder }) => readdirSync(folder).filter((file) => file.endsWith(".sql")));
const highest = Math.max(0, ...names.map((file) => Number.parseInt(file, 10)));
const number = String(highest + 1).padStart(4, "0");
for (const { kind, folder } of folders) {
  const file = path.join(folder, `${number}_${name}.sql`);
  writeFileSync(file, await diffSchemas(kind, oldSchema, newSchema));
  console.log(`wrote ${file}`);
}
