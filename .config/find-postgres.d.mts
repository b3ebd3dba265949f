/** A server that runs, or the folder of its programs. */
export type PostgresInstallation = { type: "server"; url: string } | { type: "programs"; folder: string };

export function findPostgres(env?: NodeJS.ProcessEnv): PostgresInstallation | null;

export function installPostgres(): void;
