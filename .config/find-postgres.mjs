import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const debianFolder = "/usr/lib/postgresql";

/**
 * Where tests find PostgreSQL. `SWARMLOOM_TEST_DATABASE_URL` names a server on which databases may be created,
 * `SWARMLOOM_TEST_POSTGRES_BIN` a folder of programs; without them that of Debian's package, or the one in PATH. Null when
 * there is none; on CI that is an error.
 */
export function findPostgres(env = process.env) {
  if (env.SWARMLOOM_TEST_DATABASE_URL) return { type: "server", url: env.SWARMLOOM_TEST_DATABASE_URL };
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const packaged = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(debianFolder, version, "bin"));
  const folders = env.SWARMLOOM_TEST_POSTGRES_BIN
    ? [env.SWARMLOOM_TEST_POSTGRES_BIN]
    : [...packaged, ...(env.PATH ?? "").split(path.delimiter)];
  const folder = folders.find((candidate) => existsSync(path.join(candidate, "initdb")));
  if (folder !== undefined) return { type: "programs", folder };
  if (env.CI) throw new Error("The tests of PostgreSQL need its server: apt-get install postgresql");
  return null;
}

/** Installs Debian's package where there is no PostgreSQL and this process may install it. */
export function installPostgres() {
  if (findPostgres({ ...process.env, CI: "" }) !== null) return;
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update", "-q"], { stdio: "inherit", env });
  spawnSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", "postgresql"], { stdio: "inherit", env });
}
