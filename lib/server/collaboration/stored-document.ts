import "server-only";
import * as Y from "yjs";
import { toContentDigest, toDigest } from "@/lib/core/live/document-digest";
import { seedDocument } from "@/lib/core/live/live-document";
import { AppError } from "../app-error";
import { applyCounted, TooManySteps } from "../cpu-worker/rehearse-update";
import type { Db } from "../db";
import { waitForTurn } from "../event-loop-turns";
import { logger } from "../log/logger";
import { countDivergence } from "../metrics/metrics";
import { tellProcesses } from "../runs/store/tell-processes";
import {
  appendUpdate,
  createDocument,
  type DocumentKey,
  findDocument,
  getHead,
  listUpdates,
  mergeUpdates,
  type NewDocument,
  replaceDocument,
  type StoredUpdate,
  type UpdateAuthor,
} from "./document-rows";
import { assertReadable, dropWaiting, encodeReceived, isOvergrown, isWaiting, stepLimits } from "./document-state";

/** Updates in as many rows are merged into one. */
const maxRows = 200;
/** Merging updates takes time in proportion to the square of their number: 5 ms for as many. */
const maxMergedUpdates = 250;
const retryMs = 1_000;
/** How long a document whose rows have gaps waits for an editor that has what they lack. */
const gapPatienceMs = 30_000;
/** The part of the time that comparing a document with its rows may take. */
const compareShare = 1 / 200;

/** The origins of changes: `stored` ones are in the table, which may lack `repaired` ones. */
const [stored, repaired] = [Symbol("stored"), Symbol("repaired")];

export interface StoredDocumentOptions {
  flowId: string;
  /** Receives every update, wherever it comes from; `isNew`: it is not in the table yet. */
  onUpdate(update: Uint8Array, origin: unknown, isNew: boolean): void;
  /** The flow has another document from now on: this one changes nothing any more. */
  onReplaced(): void;
}

/** A document whose updates cannot be read. */
class UnreadableError extends Error {}

const toUnreadable = (error: unknown): UnreadableError =>
  new UnreadableError(error instanceof Error ? error.message : "The stored updates cannot be read.");

/**
 * The document of one flow with its rows. Updates are received at once, and stored in the order of their numbers. Methods
 * whose names begin with `run` are for work inside `exclusively`.
 */
export class StoredDocument {
  readonly doc = new Y.Doc();
  lastAuthor: UpdateAuthor = { id: "local", name: "You" };
  isReplaced = false;
  /** All bytes of updates that it took since it was opened: equal only while it did not change. */
  takenBytes = 0;
  /** Items with which Yjs compared others while it merged the updates: reading them again takes about as many. */
  steps = 0;
  #lineage = "";
  #seq = 0;
  #savedSeq = 0;
  #rows = 0;
  #bytes = 0;
  #pending: { update: Uint8Array; author: UpdateAuthor }[] = [];
  #hasGaps = false;
  /** Null: the document has changed since. */
  #digest: number | null = null;
  #contentDigest: number | null = null;
  #maxSteps = Number.POSITIVE_INFINITY;
  #comparedSeq = 0;
  #compareAfter = 0;
  #gapTimer: NodeJS.Timeout | undefined;
  #writeTimer: NodeJS.Timeout | undefined;
  /** The work with the rows, one piece after another. */
  #work: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly db: Db,
    private readonly options: StoredDocumentOptions,
  ) {}

  /**
   * Opens the document; the first time ever, and where it cannot be read, it begins with the head revision. Throws AppError
   * `not_found`.
   */
  static async open(db: Db, options: StoredDocumentOptions): Promise<StoredDocument> {
    const document = new StoredDocument(db, options);
    try {
      await document.#load();
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      await document.#replace(error.message);
      document.destroy();
      return StoredDocument.#openNext(db, options);
    }
    // Only then: who is offline meanwhile may get back twice what was received and not saved.
    const isPastLarge = isOvergrown(document.doc) || document.steps > stepLimits.watched;
    if (!isPastLarge || document.wasUnsaved || document.#hasGaps) return document;
    // The head revision has all of it.
    await document.#beginAnew({ reason: null, lastSeq: document.seq });
    document.destroy();
    return StoredDocument.#openNext(db, options);
  }

  static async #openNext(db: Db, options: StoredDocumentOptions): Promise<StoredDocument> {
    const next = new StoredDocument(db, options);
    await next.#load();
    return next;
  }

  async #load(): Promise<void> {
    const { flowId } = this.options;
    if (!(await findDocument(this.db, flowId))) {
      const head = await getHead(this.db, flowId);
      await createDocument(this.db, flowId, head, seedDocument(head));
    }
    const row = await findDocument(this.db, flowId);
    this.#lineage = row?.lineage ?? "";
    this.#savedSeq = row?.savedSeq ?? 0;
    this.#maxSteps = stepLimits.atOpening;
    await this.runTakeStored();
    this.#maxSteps = Number.POSITIVE_INFINITY;
    try {
      assertReadable(this.doc);
    } catch (error) {
      throw toUnreadable(error);
    }
    this.doc.on("update", this.#onUpdate);
  }

  get key(): DocumentKey {
    return { flowId: this.options.flowId, lineage: this.#lineage };
  }

  /** The number of the last row that the document includes. */
  get seq(): number {
    return this.#seq;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Whether rows were in no revision when the document was opened. */
  get wasUnsaved(): boolean {
    return this.#seq > this.#savedSeq;
  }

  /** In its rows, and what waits for being stored. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the document lacks what its rows are changes of. */
  get isIncomplete(): boolean {
    return this.#hasGaps && isWaiting(this.doc);
  }

  /** A hash of everything that the document has received: equal for equal documents. */
  get digest(): number {
    this.#digest ??= toDigest(this.doc);
    return this.#digest;
  }

  /** A hash of what is in the document. */
  get contentDigest(): number {
    this.#contentDigest ??= toContentDigest(this.doc);
    return this.#contentDigest;
  }

  /** Returns false where the document lacks what the update is a change of: it has to be sent again, together with that. */
  apply(update: Uint8Array, author: UpdateAuthor, origin: unknown): boolean {
    this.lastAuthor = author;
    this.steps += applyCounted(this.doc, update, { origin }).steps;
    if (!isWaiting(this.doc)) return true;
    // Rows after a gap wait for what fills it.
    if (!this.#hasGaps) dropWaiting(this.doc);
    return false;
  }

  readonly #onUpdate = (update: Uint8Array, origin: unknown): void => {
    [this.#digest, this.#contentDigest] = [null, null];
    this.takenBytes += update.length;
    const isNew = origin !== stored;
    if (isNew) this.#store(update);
    this.options.onUpdate(update, origin, isNew);
  };

  #store(update: Uint8Array): void {
    this.#bytes += update.length;
    this.#pending.push({ update, author: this.lastAuthor });
    if (this.#pending.length === 1) void this.#write();
  }

  /** Runs one piece of work with the rows after another. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }

  /** Stores pending updates, and tries again after a failure. Never rejects. */
  #write(): Promise<void> {
    return this.exclusively(() => this.runStorePending()).catch((error: unknown) => {
      if (this.isReplaced) return;
      logger.error({ err: error, flow: this.options.flowId }, "updates of a live flow could not be stored yet");
      clearTimeout(this.#writeTimer);
      this.#writeTimer = setTimeout(() => void this.#write(), retryMs);
      this.#writeTimer.unref();
    });
  }

  async runStorePending(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = takeOneAuthor(this.#pending);
      const [first] = batch;
      if (!first) return;
      const update = Y.mergeUpdates(batch.map((pending) => pending.update));
      const isStored = await appendUpdate(this.db, this.key, { seq: this.#seq + 1, update, author: first.author });
      if (isStored) {
        this.#pending = this.#pending.slice(batch.length);
        this.#seq++;
        this.#rows++;
        tellProcesses("updated", this.options.flowId);
      } else {
        await this.runAssertSame();
        await this.runTakeStored();
      }
      if (this.#pending.length > 0) await waitForTurn("store");
    }
    if (this.#rows >= maxRows) await this.runMerge();
  }

  /** Takes the rows that other processes stored. Throws AppError `unavailable` where the flow has another document. */
  async runTakeStored(): Promise<void> {
    const rows = await listUpdates(this.db, this.options.flowId, this.#seq);
    if (rows.length > 0) await this.runAssertSame();
    // Parts that waited for what a gap lacked may be missing in the rows, too.
    const origin = this.#hasGaps ? repaired : stored;
    for (const row of rows) this.runInclude(row, origin);
    const hasGaps = isWaiting(this.doc);
    if (hasGaps && !this.#hasGaps) this.#startWaiting();
    this.#hasGaps = hasGaps;
  }

  /** Applies a row that the table has. */
  runInclude({ seq, update }: StoredUpdate, origin: symbol = stored): void {
    try {
      this.steps += applyCounted(this.doc, update, { origin, maxSteps: this.#maxSteps - this.steps }).steps;
    } catch (error) {
      throw toUnreadable(error);
    }
    this.#seq = seq;
    this.#rows++;
    this.#bytes += update.length;
  }

  /** Throws AppError: `not_found`, or `unavailable` where the flow has another document. */
  async runAssertSame(): Promise<void> {
    const row = await findDocument(this.db, this.options.flowId);
    if (!row) throw new AppError("not_found", "There is no such flow.");
    if (row.lineage !== this.#lineage) this.#leave();
  }

  #leave(): never {
    this.isReplaced = true;
    this.#pending = [];
    this.options.onReplaced();
    throw new AppError("unavailable", "The shared text of this flow was opened anew. Try again in a moment.");
  }

  /** An editor that is connected, or returns, has what the rows lack. Without one the flow gets a new document. */
  #startWaiting(): void {
    countDivergence("rows");
    logger.error({ flow: this.options.flowId, seq: this.#seq }, "the stored updates of a live flow have gaps");
    clearTimeout(this.#gapTimer);
    this.#gapTimer = setTimeout(() => void this.#replaceIncomplete(), gapPatienceMs).unref();
  }

  async #replaceIncomplete(): Promise<void> {
    try {
      await this.exclusively(async () => {
        if (!this.isIncomplete || this.isReplaced) return;
        await this.#replace("The stored updates have gaps.");
        this.#leave();
      });
    } catch (error) {
      if (this.isReplaced) return;
      logger.error({ err: error, flow: this.options.flowId }, "a live flow with gaps could not begin anew yet");
      this.#startWaiting();
    }
  }

  /** The flow gets a new document with its head revision; the rows of this one are kept for support. */
  async #replace(reason: string): Promise<void> {
    const { flowId } = this.options;
    logger.error({ flow: flowId, lineage: this.#lineage, reason }, "a live flow begins anew with its newest revision");
    await this.#beginAnew({ reason, lastSeq: null });
  }

  async #beginAnew(options: Pick<NewDocument, "reason" | "lastSeq">): Promise<void> {
    const { flowId } = this.options;
    const head = await getHead(this.db, flowId);
    await replaceDocument(this.db, this.key, { ...options, head, seed: seedDocument(head) });
    tellProcesses("updated", flowId);
  }

  /**
   * Compares the document with its rows, which all processes share, and stores or takes what is missing. A large document is
   * compared less often. Resolves to false where they differed.
   */
  compare(): Promise<boolean> {
    return this.exclusively(async () => {
      await this.runStorePending();
      await this.runTakeStored();
      if (this.#comparedSeq === this.#seq || performance.now() < this.#compareAfter || this.#hasGaps) return true;
      const rows = await listUpdates(this.db, this.options.flowId, 0);
      // Updates may have arrived meanwhile.
      if (this.#pending.length > 0 || rows.at(-1)?.seq !== this.#seq) return true;
      const begin = performance.now();
      const lacking = this.#compareWith(rows);
      this.#comparedSeq = this.#seq;
      this.#compareAfter = performance.now() + (performance.now() - begin) / compareShare;
      if (!lacking) return true;
      this.#store(lacking);
      await this.runStorePending();
      return false;
    });
  }

  /** Takes what the rows have. Returns what they lack; null where they are equal to the document. */
  #compareWith(rows: readonly StoredUpdate[]): Uint8Array | null {
    const copy = new Y.Doc();
    if (!this.#applyRows(copy, rows)) return null;
    const { flowId } = this.options;
    if (toDigest(copy) === this.digest) {
      if (toContentDigest(copy) === this.contentDigest) return null;
      // Two processes received different insertions with the same ids. The rows decide, for all of them.
      countDivergence("rows");
      logger.error({ flow: flowId, seq: this.#seq }, "a live flow has other content than its stored updates");
      this.#leave();
    }
    countDivergence("rows");
    logger.error({ flow: flowId, seq: this.#seq }, "a live flow differed from its stored updates and was repaired");
    const lacking = encodeReceived(this.doc, Y.encodeStateVector(copy));
    Y.applyUpdate(this.doc, encodeReceived(copy, Y.encodeStateVector(this.doc)), stored);
    return lacking;
  }

  /** Rows in their order may take other steps than the updates took. Returns false where they take too many to be compared. */
  #applyRows(copy: Y.Doc, rows: readonly StoredUpdate[]): boolean {
    let steps = 0;
    try {
      for (const { update } of rows)
        steps += applyCounted(copy, update, { maxSteps: stepLimits.document * 2 - steps }).steps;
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      // No more changes: it begins anew when it is opened again.
      steps = Number.POSITIVE_INFINITY;
    }
    this.steps = Math.max(this.steps, steps);
    return Number.isFinite(steps);
  }

  async runMerge(): Promise<void> {
    // Rows after a gap are kept as they are.
    if (this.isIncomplete || this.isReplaced) return;
    const update = encodeReceived(this.doc);
    await mergeUpdates(this.db, this.key, { seq: this.#seq, update });
    this.#rows = 1;
    this.#bytes = update.length;
  }

  /** Merges the rows into one, where there are several. */
  mergeRows(): Promise<void> {
    return this.exclusively(async () => {
      if (this.#rows > 1) await this.runMerge();
    });
  }

  destroy(): void {
    clearTimeout(this.#writeTimer);
    clearTimeout(this.#gapTimer);
    this.doc.destroy();
  }
}

/**
 * The first updates that one author made, as many as are merged at once. It is an array of its own: `pending` grows while they
 * are stored.
 */
function takeOneAuthor(pending: readonly { update: Uint8Array; author: UpdateAuthor }[]) {
  const isOther = (author: UpdateAuthor): boolean => author.id !== pending[0]?.author.id;
  const end = pending.findIndex(({ author }, index) => index === maxMergedUpdates || isOther(author));
  return pending.slice(0, end < 0 ? pending.length : end);
}
