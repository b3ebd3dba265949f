/**
 * `npx tsx prisma/make-migration.ts NAME [OLD.prisma]`: writes the SQL that leads from the old schema (none: an empty
 * database) to schema.prisma as the next file of migrations/sqlite. Works offline: the schema engine's WebAssembly
 * build compares two schemas without a database.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { diffSchemas } from "./diff-schemas";

const [name, oldSchema] = process.argv.slice(2);
if (!name) throw new Error("usage: npx tsx prisma/make-migration.ts NAME [OLD.prisma]");
const folder = path.join(import.meta.dirname, "migrations/sqlite");
const sql = await diffSchemas(
  oldSchema === undefined ? null : readFileSync(oldSchema, "utf8"),
  readFileSync(path.join(import.meta.dirname, "schema.prisma"), "utf8"),
);
const number = String(readdirSync(folder).filter((file) => file.endsWith(".sql")).length + 1).padStart(4, "0");
const file = path.join(folder, `${number}_${name}.sql`);
writeFileSync(file, sql);
console.log(`wrote ${file}`);
