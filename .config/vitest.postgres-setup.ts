import path from "node:path";
import { afterAll } from "vitest";
import { createEmptyDatabase } from "../prisma/testing/test-database";
import { findPostgres } from "./find-postgres.mjs";

/** Every test file gets a database of its own, which is new. */
const database = await createEmptyDatabase();
process.env.DATABASE_URL = database.url;

/** `pg_dump` and the others are of the server's version. */
const installation = findPostgres();
if (installation?.type === "programs") process.env.PATH = `${installation.folder}${path.delimiter}${process.env.PATH}`;

afterAll(() => database.drop());
