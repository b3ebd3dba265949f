import "server-only";
import { setTimeout } from "node:timers/promises";
import * as Y from "yjs";
import { hasDeleted } from "@/lib/core/live/deleted-entries";
import { bringsNotes, hasNotes } from "@/lib/core/live/structure-versions";
import { hasRivalStructure } from "@/lib/core/settle/settle-structure";
import { AppError } from "../app-error";
import { runTask } from "../cpu-worker/run-task";
import type { Db } from "../db";
import { logger } from "../log/logger";
import { getHead } from "./document-rows";
import { encodeReceived } from "./document-state";
import type { StoredDocument } from "./stored-document";
import { assertAcceptable } from "./update-limits";

/** A save waits so long for editors that settle what two of them wrote at once; it looks again after each step. */
const [maxEditorsMs, stepMs] = [2_000, 25];
/** It takes about a second for thousands of agents. */
const deadlineMs = 5_000;
/** Longer texts, in UTF-16 units, with several versions take seconds. */
const maxShortLength = 20_000;
/** Others may write meanwhile what has to be settled, too. */
const maxRounds = 3;
/** After a failure the document is saved as it is for so long. */
const failurePauseMs = 60_000;

/** The origin of what is settled here. */
const settled = Symbol("settled");

/**
 * Settles what several people changed of the structure of one flow where no editor does it, in the way in which editors do. It
 * takes long for some documents, so it is done to a copy in another thread.
 */
export class StructureSettling {
  /** Client id under which settlements are noted. Yjs changes the id of a document that receives its own changes. */
  readonly #client = new Y.Doc().clientID;
  /** Whether it has rivals, of the document as it was after so many bytes. */
  #seen = { takenBytes: -1, hasRivals: false };
  /** The document has nothing to settle as it was after so many bytes. */
  #settledBytes = -1;
  /** Whether notes of the structure arrived since the last settling. */
  #hasNewNotes: boolean;
  #running: Promise<void> | null = null;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly db: Db,
    private readonly document: StoredDocument,
  ) {
    this.#hasNewNotes = hasNotes(document.doc);
    document.doc.on("afterTransaction", (transaction: Y.Transaction) => {
      this.#hasNewNotes ||= transaction.origin !== settled && bringsNotes(transaction);
    });
  }

  /**
   * Waits a moment for editors, which settle what they know of, and settles what is left. Never rejects: what cannot be settled
   * is saved as it is. `mayWait`: false where no one can be waited for.
   */
  async run(mayWait: () => boolean): Promise<void> {
    const end = performance.now() + maxEditorsMs;
    while (mayWait() && !this.#isPaused && performance.now() < end && this.#hasRivals()) await setTimeout(stepMs);
    for (let round = 0; round < maxRounds && !this.#isPaused; round++) {
      // What others write meanwhile in deleted entries waits for the next save.
      if (!(round === 0 ? this.#isUnsettled() : this.#hasRivals())) return;
      // Many saves may wait.
      this.#running ??= this.#settle().finally(() => {
        this.#running = null;
      });
      await this.#running;
    }
  }

  get #isPaused(): boolean {
    const { isReplaced, isIncomplete } = this.document;
    return isReplaced || isIncomplete || performance.now() < this.#pausedUntil;
  }

  /** Looks once at each state of the document. */
  #hasRivals(): boolean {
    const { doc, takenBytes } = this.document;
    if (this.#seen.takenBytes !== takenBytes) this.#seen = { takenBytes, hasRivals: hasRivalStructure(doc) };
    return this.#seen.hasRivals;
  }

  /** Whether there may be anything to settle. What is left in deleted entries takes long to find. */
  #isUnsettled(): boolean {
    const { doc, takenBytes } = this.document;
    return this.#settledBytes !== takenBytes && (this.#hasNewNotes || hasDeleted(doc) || this.#hasRivals());
  }

  async #settle(): Promise<void> {
    const { document, db } = this;
    const { flowId } = document.key;
    try {
      const { source: previous } = await getHead(db, flowId);
      const { takenBytes, doc } = document;
      const input = { state: encodeReceived(doc), previous, client: this.#client };
      this.#hasNewNotes = false;
      const update = await runTask("settle-structure", input, this.#toTaskOptions());
      const isSame = document.takenBytes === takenBytes;
      if (document.isReplaced) return;
      if (update) {
        assertAcceptable(doc, update, document.bytes);
        document.apply(update, document.lastAuthor, settled);
      }
      if (!isSame) return;
      this.#settledBytes = document.takenBytes;
      if (this.#hasRivals()) throw new Error("Settling the structure of a flow left something unsettled.");
    } catch (error) {
      // A flow that is gone is not saved either.
      if (error instanceof AppError && error.code === "not_found") return;
      this.#hasNewNotes = true;
      this.#pausedUntil = performance.now() + failurePauseMs;
      logger.error({ err: error, flow: flowId }, "what several people changed of the structure could not be settled");
    }
  }

  /** People take turns, so that many flows of one person delay those of others by one of them. */
  #toTaskOptions() {
    const { doc, lastAuthor } = this.document;
    const isLong = doc.getText("source").length > maxShortLength;
    return { client: `live flows of ${lastAuthor.id}`, deadlineMs, isLong };
  }
}
