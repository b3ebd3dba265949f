import "server-only";
import * as Y from "yjs";
import type { Layout } from "@/lib/core/flow/edit";
import { limits } from "@/lib/core/flow/flow";
import { formatCount } from "@/lib/core/flow/format-count";
import { rebaseChanges } from "@/lib/core/flow/rebase/rebase-changes";
import { rebaseLayout } from "@/lib/core/flow/rebase/rebase-layout";
import type { TextChange } from "@/lib/core/flow/text-range";
import { diffTexts } from "@/lib/core/live/diff-texts";
import { readLayout, readText, seedDocument, writeLayout, writeText } from "@/lib/core/live/live-document";
import { AppError } from "../app-error";
import { toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { saveLiveFlow } from "../flows/commands";
import { logger } from "../log/logger";
import { tellProcesses } from "../runs/store/tell-processes";
import {
  appendUpdate,
  createDocument,
  findDocument,
  getHead,
  getStoredRevision,
  includeRevision,
  listUpdates,
  mergeUpdates,
  type StoredRevision,
  type UpdateAuthor,
} from "./document-rows";

/** Updates in as many rows are merged into one. */
const mergedRows = 200;
/** What no editor has saved is saved after so many milliseconds. */
const saveDelayMs = 2_000;
const retryMs = 1_000;
/** The state of a document with everything that was ever deleted from it, in bytes. */
const largestState = 25_000_000;

/** The origin of changes that are in the table already. */
const stored = Symbol("stored");

interface LiveFlowOptions {
  flowId: string;
  teamId: string;
  /** Receives every update, wherever it comes from; `origin`: as given to `apply`. */
  onUpdate(update: Uint8Array, origin: unknown): void;
}

/**
 * The document of one flow in this process. Updates are received at once and stored in the order of their numbers; other
 * processes have documents of their own, and follow by the same rows. Every revision made of it is stored after its updates:
 * a process that is killed leaves no revision whose changes the document lacks.
 */
export class LiveFlow {
  readonly #doc = new Y.Doc();
  #lineage = "";
  #seq = 0;
  #rows = 0;
  #bytes = 0;
  #pending: { update: Uint8Array; author: UpdateAuthor }[] = [];
  #lastAuthor: UpdateAuthor = { id: "local", name: "You" };
  #isUnsaved = false;
  #saveTimer: NodeJS.Timeout | undefined;
  #writeTimer: NodeJS.Timeout | undefined;
  /** What is under way with the rows: one after another. */
  #work: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly db: Db,
    private readonly options: LiveFlowOptions,
  ) {}

  /** Opens the document; the first time ever it begins with the head revision. Throws AppError `not_found`. */
  static async open(db: Db, options: LiveFlowOptions): Promise<LiveFlow> {
    const { flowId } = options;
    if (!(await findDocument(db, flowId))) {
      const head = await getHead(db, flowId);
      await createDocument(db, flowId, head, seedDocument(head));
    }
    const live = new LiveFlow(db, options);
    const document = await findDocument(db, flowId);
    live.#lineage = document?.lineage ?? "";
    await live.#takeStored();
    live.#isUnsaved = live.#seq > (document?.savedSeq ?? 0);
    live.#doc.on("update", live.#onUpdate);
    await live.refresh();
    live.#saveLater();
    return live;
  }

  get lineage(): string {
    return this.#lineage;
  }

  /** What a client with this state vector lacks. Throws AppError `bad_request`. */
  readSince(vector: Uint8Array): Uint8Array {
    try {
      return Y.encodeStateAsUpdate(this.#doc, vector);
    } catch {
      throw new AppError("bad_request", "Expected the state vector of a document.");
    }
  }

  /** The newest revision whose changes the document includes. */
  async readRevision(): Promise<string> {
    return (await findDocument(this.db, this.options.flowId))?.revisionId ?? "";
  }

  get vector(): Uint8Array {
    return Y.encodeStateVector(this.#doc);
  }

  /** Throws AppError: `bad_request` for what is no update, `too_large` where the flow would exceed its limits. */
  apply(update: Uint8Array, author: UpdateAuthor, origin: unknown): void {
    try {
      Y.decodeUpdate(update);
    } catch {
      throw new AppError("bad_request", "Expected an update of the document.");
    }
    const { length } = this.#doc.getText("source");
    if (length + update.length > limits.sourceLength && exceeds(this.#doc, update))
      throw new AppError("too_large", `A flow has at most ${formatCount(limits.sourceLength)} characters.`);
    // Changes of what was not received yet wait in memory.
    const waitingBytes = this.#doc.store.pendingStructs?.update.length ?? 0;
    if (this.#bytes + waitingBytes + update.length > largestState)
      throw new AppError("too_large", "This flow was changed too often to be edited together: duplicate it.");
    this.#lastAuthor = author;
    Y.applyUpdate(this.#doc, update, origin);
  }

  readonly #onUpdate = (update: Uint8Array, origin: unknown): void => {
    this.options.onUpdate(update, origin);
    if (origin === stored) return;
    this.#bytes += update.length;
    this.#pending.push({ update, author: this.#lastAuthor });
    this.#isUnsaved = true;
    this.#saveLater();
    if (this.#pending.length === 1) void this.#write();
  };

  /** Runs one piece of work with the rows after another. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }

  /** Stores what is pending; what fails is tried again. Never rejects. */
  #write(): Promise<void> {
    return this.#exclusively(() => this.#storePending()).catch((error: unknown) => {
      logger.error({ err: error, flow: this.options.flowId }, "updates of a live flow could not be stored yet");
      clearTimeout(this.#writeTimer);
      this.#writeTimer = setTimeout(() => void this.#write(), retryMs);
      this.#writeTimer.unref();
    });
  }

  async #storePending(): Promise<void> {
    const { flowId } = this.options;
    while (this.#pending.length > 0) {
      const batch = takeOneAuthor(this.#pending);
      const [first] = batch;
      if (!first) return;
      const update = Y.mergeUpdates(batch.map((pending) => pending.update));
      const isStored = await appendUpdate(this.db, flowId, { seq: this.#seq + 1, update, author: first.author });
      if (isStored) {
        this.#pending = this.#pending.slice(batch.length);
        this.#seq++;
        this.#rows++;
        tellProcesses("updated", flowId);
      } else await this.#takeStored();
    }
    if (this.#rows >= mergedRows) await this.#merge();
  }

  async #takeStored(): Promise<void> {
    for (const { seq, update } of await listUpdates(this.db, this.options.flowId, this.#seq)) {
      Y.applyUpdate(this.#doc, update, stored);
      this.#seq = seq;
      this.#rows++;
      this.#bytes += update.length;
    }
  }

  async #merge(): Promise<void> {
    const update = Y.encodeStateAsUpdate(this.#doc);
    await mergeUpdates(this.db, this.options.flowId, { seq: this.#seq, update });
    this.#rows = 1;
    this.#bytes = update.length;
  }

  /** Merges the rows into one, where there are several. */
  mergeRows(): Promise<void> {
    return this.#exclusively(async () => {
      if (this.#rows > 1) await this.#merge();
    });
  }

  /** Takes what other processes stored. */
  follow(): Promise<void> {
    return this.#exclusively(() => this.#takeStored());
  }

  /** Takes what other processes stored, and what requests saved as revisions. */
  refresh(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#storePending();
      await this.#includeHead();
    });
  }

  /** The head revision, whose changes the document includes from now on. */
  async #includeHead(): Promise<StoredRevision> {
    const { flowId } = this.options;
    for (;;) {
      await this.#takeStored();
      const [document, head] = [await findDocument(this.db, flowId), await getHead(this.db, flowId)];
      if (!document) throw new AppError("not_found", "There is no such flow.");
      if (document.revisionId === head.id) return head;
      const base = await getStoredRevision(this.db, document.revisionId);
      await this.#storePending();
      const update = toForeignUpdate(this.#doc, base, head);
      const seq = this.#seq + 1;
      const change = update && { seq, update, author: head.author };
      if (!(await includeRevision(this.db, flowId, { from: base.id, to: head.id }, change))) continue;
      if (change) {
        this.#seq = seq;
        this.#rows++;
        Y.applyUpdate(this.#doc, change.update, stored);
        tellProcesses("updated", flowId);
      }
      return head;
    }
  }

  #saveLater(): void {
    if (!this.#isUnsaved) return;
    this.#saveTimer ??= setTimeout(() => {
      this.#saveTimer = undefined;
      this.save(this.#lastAuthor).catch((error: unknown) => {
        // An empty text is saved when a user agrees to it; a flow in the trash is not saved.
        if (error instanceof AppError) return;
        logger.error({ err: error, flow: this.options.flowId }, "a live flow could not be saved yet");
        this.#saveLater();
      });
    }, saveDelayMs);
    this.#saveTimer.unref();
  }

  /** Saves the document as a revision where it differs from the last one. Resolves to its id. Throws AppError as `saveFlow` does. */
  save(author: UpdateAuthor, options: { summary?: string; allowEmpty?: boolean } = {}): Promise<string> {
    return this.#exclusively(async () => {
      for (;;) {
        const head = await this.#includeHead();
        await this.#storePending();
        // What arrived while the last row was written is stored first.
        if (this.#pending.length > 0) continue;
        const { db, options: flow } = this;
        const savedSeq = this.#seq;
        const content = { source: readText(this.#doc), layout: readLayout(this.#doc, head.layout) };
        this.#isUnsaved = false;
        try {
          const viewer = toTeamViewer(author, { teamId: flow.teamId, role: "editor" });
          const { revision } = await saveLiveFlow(
            viewer,
            flow.flowId,
            { ...content, ...options, baseRevision: head.id },
            (tx, revisionId) =>
              tx.flowDocument.update({ where: { flowId: flow.flowId }, data: { revisionId, savedSeq } }),
          );
          if (revision === head.id)
            await db.flowDocument.update({ where: { flowId: flow.flowId }, data: { savedSeq } });
          else tellProcesses("saved", flow.flowId);
          return revision;
        } catch (error) {
          this.#isUnsaved = true;
          if (!(error instanceof AppError) || error.code !== "conflict") throw error;
        }
      }
    });
  }

  /** Stores and saves what is left. Never rejects: what cannot be saved is in the rows, or with those who edited it. */
  async close(): Promise<void> {
    clearTimeout(this.#saveTimer);
    try {
      if (this.#isUnsaved) await this.save(this.#lastAuthor);
      await this.mergeRows();
    } catch (error) {
      if (!(error instanceof AppError))
        logger.error({ err: error, flow: this.options.flowId }, "a live flow could not be saved when it was closed");
    }
    clearTimeout(this.#saveTimer);
    clearTimeout(this.#writeTimer);
    this.#doc.destroy();
  }
}

/** The first updates that one author made. */
function takeOneAuthor(pending: readonly { update: Uint8Array; author: UpdateAuthor }[]) {
  const end = pending.findIndex(({ author }) => author.id !== pending[0]?.author.id);
  return end < 0 ? pending : pending.slice(0, end);
}

/** Whether the text would be too long: tried on a copy, because nothing is ever taken back. */
function exceeds(doc: Y.Doc, update: Uint8Array): boolean {
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
  Y.applyUpdate(copy, update);
  const { length } = readText(copy);
  return length > limits.sourceLength && length > readText(doc).length;
}

interface Content {
  source: string;
  layout: Layout;
}

/** What leads from `base` to `head`, as an update of the document, which has changed since `base`; null: nothing. */
function toForeignUpdate(doc: Y.Doc, base: Content, head: Content): Uint8Array | null {
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
  const [source, layout] = [readText(copy), readLayout(copy, base.layout)];
  const updates: Uint8Array[] = [];
  copy.on("update", (update: Uint8Array) => updates.push(update));
  copy.transact(() => {
    if (head.source !== source) writeText(copy, source, toForeignChanges(base.source, head.source, source));
    writeLayout(copy, layout, rebaseLayout(base.layout, head.layout, layout));
  });
  return updates[0] ?? null;
}

/** What both sides changed alike is changed once. */
function toForeignChanges(base: string, head: string, current: string): TextChange[] {
  const over = diffTexts(base, current);
  const isDone = (change: TextChange): boolean =>
    over.some(
      ({ from: start, to: end, insert }) => start === change.from && end === change.to && insert === change.insert,
    );
  const changes = diffTexts(base, head).filter((change) => !isDone(change));
  return rebaseChanges(changes, over, "foreign");
}
