import path from "node:path";
import Sqlite from "better-sqlite3";
import type { RunEvent, RunEventOf } from "@/lib/core/run/events/events";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";

/** Stores the result of each agent of one run. */
export type KeepStep = (run: string, step: RunEventOf<"node.finished">) => void;

/** Opens a store of steps. @throws Error `not offered` for an unknown kind. */
export function openStepStore(kind: string, folder: string): KeepStep {
  switch (kind) {
    case "memory": {
      const steps = new Map<string, string>();
      return (run, step) => steps.set(`${run}/${step.id}`, JSON.stringify(step));
    }
    case "sqlite-normal":
    case "sqlite-full": {
      const db = new Sqlite(path.join(folder, `swarmloom-${process.pid}-${kind}.db`));
      db.pragma("journal_mode = wal");
      db.pragma(`synchronous = ${kind === "sqlite-full" ? "full" : "normal"}`);
      db.exec(
        "create table if not exists step (run text, seq integer, state text, primary key (run, seq)) without rowid",
      );
      const insert = db.prepare("insert into step values (?, ?, ?)");
      return (run, step) => insert.run(run, step.seq, JSON.stringify(step));
    }
    default:
      throw new Error("not offered");
  }
}

/** Passes the end of every agent to `keep`, as one write for each step: the next step starts after it. */
export function keepAgents(run: string, keep: KeepStep): (event: RunEvent) => void {
  const agents = new Set<number>();
  return (event) => {
    if (event.type === "node.started" && isAgentKind(event.kind)) agents.add(event.id);
    else if (event.type === "node.finished" && agents.delete(event.id)) keep(run, event);
  };
}
