import { afterAll } from "vitest";
import { createEmptyDatabase } from "../prisma/testing/test-database";

/** Every test file gets a database of its own, which is new. */
const database = await createEmptyDatabase();
process.env.DATABASE_URL = database.url;

afterAll(() => database.drop());
