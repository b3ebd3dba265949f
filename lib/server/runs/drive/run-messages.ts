import "server-only";
import type { Inbox } from "@/lib/core/run/ports/inbox";
import type { Db } from "../../db";

/** A stored message for an agent of a run. */
export interface RunMessageRow {
  /** From 1, in the order of arrival. */
  number: number;
  agent: string;
  text: string;
  by: string;
}

/** The messages for the agents of one run that is driven here. They arrive through the database, whichever process received them. */
export class RunMessages {
  readonly #known = new Set<number>();

  constructor(
    private readonly db: Pick<Db, "runMessage">,
    private readonly runId: string,
    private readonly inbox: Inbox,
  ) {}

  /** Takes what came before this process began to drive. `delivered`: numbers of messages that agents have read. */
  async restore(delivered: ReadonlySet<number>): Promise<void> {
    const rows = await this.db.runMessage.findMany({ where: { runId: this.runId }, orderBy: { number: "asc" } });
    for (const { number } of rows) if (delivered.has(number)) this.#known.add(number);
    await this.take(rows);
  }

  /** Takes messages that it has not got yet, and notes that they were taken: each gets to its agent, or into the notes of the run. */
  async take(rows: readonly RunMessageRow[]): Promise<void> {
    const unknown = rows.filter(({ number }) => !this.#known.has(number));
    for (const { number, agent, text, by } of unknown) {
      if (!this.inbox.keep({ agent, text, by, number })) continue;
      this.#known.add(number);
    }
    // Also those that an earlier attempt has taken, and could not note.
    const numbers = rows.flatMap(({ number }) => (this.#known.has(number) ? [number] : []));
    if (numbers.length === 0) return;
    const where = { runId: this.runId, number: { in: numbers }, takenAt: null };
    await this.db.runMessage.updateMany({ where, data: { takenAt: new Date() } });
  }
}
