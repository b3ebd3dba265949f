import type Sqlite from "better-sqlite3";
import * as Y from "yjs";
import { Violation } from "../world/world";

/** The document that the stored rows of a flow make, read after each event. */
export class StoredDocument {
  readonly #list;
  readonly #count;
  readonly #head;
  #doc = new Y.Doc();
  #seq = 0n;
  #rows = 0;

  constructor(
    private readonly connection: Sqlite.Database,
    private readonly flowId: string,
  ) {
    this.#list = connection.prepare<[string, bigint], { seq: bigint; body: string }>(
      `SELECT "seq", "body" FROM "FlowUpdate" WHERE "flowId" = ? AND "seq" > ? ORDER BY "seq"`,
    );
    this.#count = connection.prepare<[string], { rows: number }>(
      `SELECT count(*) AS "rows" FROM "FlowUpdate" WHERE "flowId" = ?`,
    );
    this.#head = connection.prepare<[string], { id: string; source: string }>(
      `SELECT "Revision"."id", "source" FROM "Revision" JOIN "Flow" ON "Flow"."revisionId" = "Revision"."id" WHERE "Flow"."id" = ?`,
    );
  }

  /** Takes rows that are new. Throws Violation for rows with changes of what no row has, and for rows that lost something. */
  follow(): Y.Doc {
    // What a transaction wrote may yet be undone.
    if (this.connection.inTransaction) return this.#doc;
    let updates = this.#list.all(this.flowId, this.#seq);
    const rows = Number(this.#count.get(this.flowId)?.rows ?? 0);
    if (rows !== this.#rows + updates.length) {
      const before = this.#doc;
      this.#doc = new Y.Doc();
      updates = this.#list.all(this.flowId, 0n);
      this.#apply(updates);
      this.#assertContains(before);
    } else if (updates.length > 0) this.#apply(updates);
    this.#rows = rows;
    return this.#doc;
  }

  #apply(updates: readonly { seq: bigint; body: string }[]): void {
    for (const { seq, body } of updates) {
      Y.applyUpdate(this.#doc, Buffer.from(body, "base64"));
      this.#seq = seq;
    }
    if (this.#doc.store.pendingStructs)
      throw new Violation("the stored updates have gaps: they change what no stored update has inserted");
  }

  /** Rows that were merged contain what was in them before. */
  #assertContains(before: Y.Doc): void {
    const now = Y.decodeStateVector(Y.encodeStateVector(this.#doc));
    for (const [client, clock] of Y.decodeStateVector(Y.encodeStateVector(before)))
      if ((now.get(client) ?? 0) < clock) throw new Violation("stored updates were lost when rows were merged");
  }

  readHead(): { id: string; source: string } | undefined {
    return this.#head.get(this.flowId);
  }
}
