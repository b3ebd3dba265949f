import { closeSync, openSync, readSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { AppliedMigrations, Migration } from "../migrate";
import { BackupError } from "./backup-error";
import { checkDump } from "./dump-postgres";
import { assertKnownVersion } from "./inspect-database";
import { type PostgresAccess, startProgram } from "./postgres-programs";

const ourTables = ["_prisma_migrations", "Flow", "Run"];

/** Checks that a file is a whole dump of Swarmloom, of this version or an earlier one. Throws BackupError. */
export async function inspectDump(
  file: string,
  access: PostgresAccess,
  migrations: readonly Migration[],
): Promise<void> {
  assertDumpFile(file);
  await checkDump(access, file, file);
  const list = await readOutput(["--list", file], access);
  if (!ourTables.every((table) => list.includes(` TABLE DATA public ${table} `)))
    throw new BackupError(
      `${file} is a dump of another program: it has no flows and runs. Expected a file that \`swarmloom backup\` wrote.`,
    );
  const ledger = await readOutput(["--data-only", "--table=_prisma_migrations", "--file=-", file], access);
  assertKnownVersion(readLedger(ledger), migrations, file);
}

function assertDumpFile(file: string): void {
  const bytes = Buffer.alloc(6);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(descriptor);
  }
  const header = bytes.toString("latin1");
  if (header.startsWith("PGDMP")) return;
  if (header === "SQLite")
    throw new BackupError(
      `${file} is a SQLite database, and DATABASE_URL is PostgreSQL. To move it there, call \`swarmloom migrate --from file:<path>\`.`,
    );
  throw new BackupError(
    `${file} is not a dump of pg_dump in its custom format. Expected a file that \`swarmloom backup\` wrote.`,
  );
}

async function readOutput(args: readonly string[], access: PostgresAccess): Promise<string> {
  const { child, ended } = startProgram("pg_restore", { args, access, stdout: "pipe" });
  const output = child.stdout ? await text(child.stdout) : "";
  await ended;
  return output;
}

/** The ledger in the text of COPY: a line with the columns, then one for each row, with tabs. Its texts have no characters to escape. */
function readLedger(script: string): AppliedMigrations {
  const [, names = "", rows = ""] = /^COPY \S+ \((.+)\) FROM stdin;\n([\s\S]*?)^\\\.$/m.exec(script) ?? [];
  const columns = names.split(", ");
  const [name, checksum] = [columns.indexOf("migration_name"), columns.indexOf("checksum")];
  const cells = rows
    .split("\n")
    .filter(Boolean)
    .map((row) => row.split("\t"));
  return new Map(cells.map((row) => [row[name] ?? "", row[checksum] ?? ""]));
}
