import "server-only";
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { createPool } from "@/prisma/client";
import { logger } from "../../log/logger";
import { isNoteKind, type NoteKind, type NoteSender, type ProcessNote } from "../store/tell-processes";

const channel = "swarmloom";
/** What was written is told in one message for so many milliseconds: a run writes many times a second. */
const mergeMs = 10;
/** PostgreSQL takes less than 8,000 bytes a message. */
const idsPerMessage = 150;
const longestWaitMs = 2_000;

/**
 * Notes between the processes that share a database, by LISTEN and NOTIFY, apart from all transactions. They only wake: what
 * they are about is in the tables, and who missed a note finds it there a little later.
 */
export class ProcessChannel implements NoteSender {
  readonly #sender = randomUUID();
  readonly #pool;
  readonly #pending = new Map<NoteKind, Set<string>>();
  #timer: NodeJS.Timeout | undefined;
  #client: Client | null = null;
  #isClosed = false;
  #wait = 0;

  /** `onMissed`: notes may have been missed, because the connection was lost. */
  constructor(
    private readonly url: string,
    private readonly options: { onNote(note: ProcessNote): void; onMissed(): void },
  ) {
    this.#pool = createPool(url, { max: 1 });
  }

  /** Resolves when notes arrive. Without a connection it resolves, too, and connects as soon as there is one. */
  async open(): Promise<void> {
    const client = new Client({ connectionString: this.url, keepAlive: true, application_name: "swarmloom-notes" });
    const reopen = (): void => {
      if (this.#client !== client) return;
      this.#client = null;
      void client.end().catch(() => {});
      this.#reopenLater();
    };
    this.#client = client;
    client.on("error", reopen);
    client.on("end", reopen);
    client.on("notification", ({ payload = "" }) => {
      const [sender, kind, ...ids] = payload.split(" ");
      if (sender === this.#sender) return;
      if (isNoteKind(kind)) this.options.onNote({ kind, ids });
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      this.#wait = 0;
    } catch (error) {
      logger.debug({ err: error }, "no connection for the notes of other processes");
      reopen();
    }
  }

  #reopenLater(): void {
    if (this.#isClosed) return;
    this.#wait = Math.min(longestWaitMs, this.#wait * 2 || 50);
    setTimeout(() => {
      if (!this.#isClosed) void this.open().then(() => this.options.onMissed());
    }, this.#wait).unref();
  }

  /** Tells the other processes, soon. Never fails: they find out in any case. */
  send(kind: NoteKind, id = ""): void {
    const ids = this.#pending.get(kind) ?? new Set();
    this.#pending.set(kind, ids.add(id));
    if (kind !== "written") return void this.#flush();
    this.#timer ??= setTimeout(() => void this.#flush(), mergeMs);
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages = [...this.#pending].flatMap(([kind, set]) => {
      const ids = [...set];
      const parts = Array.from({ length: Math.ceil(ids.length / idsPerMessage) }, (_, index) =>
        ids.slice(index * idsPerMessage, (index + 1) * idsPerMessage),
      );
      return parts.map((part) => [this.#sender, kind, ...part].join(" ").trim());
    });
    this.#pending.clear();
    for (const message of messages)
      await this.#pool.query("SELECT pg_notify($1, $2)", [channel, message]).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#flush();
    this.#isClosed = true;
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
    await this.#pool.end();
  }
}
