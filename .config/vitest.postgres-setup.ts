import { afterAll } from "vitest";
import { createMigratedDatabase } from "../prisma/testing/test-database";

/** Every test file gets a database of its own. */
const database = await createMigratedDatabase();
process.env.DATABASE_URL = database.url;

afterAll(() => database.drop());
