import { transactionOptions } from "@/prisma/client";
import { PrismaClient } from "@/prisma/generated/sqlite/client";
import { loadServerCode } from "../program/load-program";
import type { startProgram } from "../program/main";
import type { Mend } from "../program/mends";
import { MemoryDatabase } from "../store/database";
import { SimulatedAdapter } from "../store/simulated-adapter";

/** A client of the ORM that the processes of one server use one after another. */
export interface ClientSlot {
  db: PrismaClient;
  adapter: SimulatedAdapter;
}

/** What takes long to make, and is used by all simulations of this thread one after another. */
export interface Laboratory {
  database: MemoryDatabase;
  slots: readonly ClientSlot[];
  loadProgram(): typeof startProgram;
}

export const maxServers = 3;
/** As in production: otherwise each call of the ORM takes a stack trace. */
const errorFormat = "minimal";

/** `without`: a mend that the code of the servers is to lack. */
export async function openLaboratory(without: Mend | null): Promise<Laboratory> {
  const [database, loadProgram] = await Promise.all([MemoryDatabase.open(), loadServerCode(without)]);
  const slots = Array.from({ length: maxServers }, (): ClientSlot => {
    const adapter = new SimulatedAdapter();
    return { adapter, db: new PrismaClient({ adapter, transactionOptions, errorFormat }) };
  });
  // The engine of the ORM is loaded here: in a simulation it would come at a moment of its own.
  for (const { db } of slots) await db.$connect();
  return { database, slots, loadProgram };
}
