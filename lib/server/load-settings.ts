import "server-only";
import { loadConnections } from "./connections/active";
import { loadPersonalKeys } from "./connections/personal-keys";
import type { Db } from "./db";
import { loadToolRules } from "./tools/tool-rules";

/** Reads what a process keeps of settings: connections, keys of people, rules for tools. Throws DatabaseError. */
export async function loadSettings(db: Db): Promise<void> {
  await Promise.all([loadConnections(db), loadPersonalKeys(db), loadToolRules(db)]);
}
