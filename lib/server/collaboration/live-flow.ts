import "server-only";
import * as Y from "yjs";
import { readLayout, readText } from "@/lib/core/live/live-document";
import { AppError } from "../app-error";
import { toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { saveBarrier, saveLiveFlow } from "../flows/commands";
import { logger } from "../log/logger";
import { tellProcesses } from "../runs/store/tell-processes";
import { applyWithNames } from "./document-authors";
import {
  findDocument,
  getHead,
  getStoredRevision,
  includeRevision,
  type StoredRevision,
  type UpdateAuthor,
} from "./document-rows";
import { encodeReceived } from "./document-state";
import { toForeignUpdate } from "./foreign-update";
import { StoredDocument } from "./stored-document";
import { StructureSettling } from "./structure-settling";
import { assertAcceptable, assertMergeable, maxStepsAtOnce } from "./update-limits";
import { UpdateRehearsal } from "./update-rehearsal";

/** Changes that no editor has saved are saved after so many milliseconds. */
const saveDelayMs = 2_000;
/** How often late saves are refused anew, where another save comes in between. */
const maxRefusals = 10;

interface LiveFlowOptions {
  flowId: string;
  teamId: string;
  /** Receives every update, wherever it comes from; `origin`: as given to `apply`. */
  onUpdate(update: Uint8Array, origin: unknown): void;
  /** The flow has another document from now on, which has to be opened: this one changes nothing any more. */
  onReplaced?(): void;
  /** No user asks for it: the server saves by itself what an earlier process left. */
  isAtStart?: boolean;
}

export type ApplyResult = "applied" | "lacking" | "costly";

interface SaveOptions {
  summary?: string;
  allowEmpty?: boolean;
}

/**
 * One flow in this process while it is edited together. Other processes have documents of their own, and follow by the same
 * rows. Every revision made of it is stored after its updates: a process that is killed leaves no revision whose changes the
 * document lacks.
 */
export class LiveFlow {
  #isUnsaved = false;
  #isClosed = false;
  #saveTimer: NodeJS.Timeout | undefined;
  readonly #settling: StructureSettling;

  private constructor(
    private readonly db: Db,
    private readonly options: LiveFlowOptions,
    private readonly document: StoredDocument,
  ) {
    this.#settling = new StructureSettling(db, document);
  }

  /**
   * Opens the document; the first time ever, and where it cannot be read, it begins with the head revision. Throws AppError
   * `not_found`.
   */
  static async open(db: Db, options: LiveFlowOptions): Promise<LiveFlow> {
    let live: LiveFlow | null = null;
    const document = await StoredDocument.open(db, {
      flowId: options.flowId,
      onUpdate: (update, origin, isNew) => {
        options.onUpdate(update, origin);
        if (isNew && live) live.#expectSave();
      },
      onReplaced: () => {
        if (live) clearTimeout(live.#saveTimer);
        options.onReplaced?.();
      },
    });
    live = new LiveFlow(db, options, document);
    live.#isUnsaved = document.wasUnsaved;
    await live.refresh();
    live.#saveLater();
    return live;
  }

  get lineage(): string {
    return this.document.key.lineage;
  }

  get vector(): Uint8Array {
    return Y.encodeStateVector(this.document.doc);
  }

  /** A hash of everything that the document has received: equal for equal documents. */
  get digest(): number {
    return this.document.digest;
  }

  /** A hash of what is in the document. */
  get contentDigest(): number {
    return this.document.contentDigest;
  }

  /** Returns what a client with this state vector lacks. Throws AppError `bad_request`. */
  readSince(vector: Uint8Array): Uint8Array {
    try {
      return encodeReceived(this.document.doc, vector);
    } catch {
      throw new AppError("bad_request", "Expected the state vector of a document.");
    }
  }

  /** The newest revision whose changes the document includes. */
  async readRevision(): Promise<string> {
    return (await findDocument(this.db, this.options.flowId))?.revisionId ?? "";
  }

  /**
   * Throws AppError: `bad_request` for what is no update, `too_large` where the flow would exceed its limits. After `lacking`
   * the sender has to send what the document lacks, and the update again; after `costly` it has to be rehearsed.
   */
  apply(update: Uint8Array, author: UpdateAuthor, origin: unknown, rehearsal?: UpdateRehearsal): ApplyResult {
    const { document } = this;
    if (document.isReplaced) return "applied";
    const { steps, isAhead } = assertAcceptable(document.doc, update, document.bytes);
    if (isAhead) return "lacking";
    if (steps > maxStepsAtOnce) {
      if (!rehearsal?.holdsFor(document)) return "costly";
      if (rehearsal.isWaiting) return "lacking";
    }
    assertMergeable(document.steps + Math.min(steps, rehearsal?.steps ?? steps));
    const isComplete = applyWithNames(document.doc, author.name, () => document.apply(update, author, origin));
    return isComplete ? "applied" : "lacking";
  }

  /** Applies an update to a copy. Throws AppError `too_large` where that takes too long. `client` takes turns with others. */
  rehearse(update: Uint8Array, client: string): Promise<UpdateRehearsal> {
    return UpdateRehearsal.run(this.document, update, client);
  }

  /** Merges the rows into one, where there are several. */
  mergeRows(): Promise<void> {
    return this.document.mergeRows();
  }

  /** Takes what other processes stored. */
  follow(): Promise<void> {
    return this.document.exclusively(() => this.document.runTakeStored());
  }

  /** Compares the document with what is stored, and repairs both. Resolves to false where they differed. */
  compare(): Promise<boolean> {
    return this.document.compare();
  }

  /** Takes what other processes stored, and what requests saved as revisions. */
  refresh(): Promise<void> {
    return this.document.exclusively(async () => {
      await this.document.runStorePending();
      await this.#includeHead();
    });
  }

  /** Returns the head revision, whose changes the document includes from now on. */
  async #includeHead(): Promise<StoredRevision> {
    const { flowId } = this.options;
    const { document } = this;
    for (;;) {
      await document.runTakeStored();
      await document.runAssertSame();
      const [row, head] = [await findDocument(this.db, flowId), await getHead(this.db, flowId)];
      if (row?.revisionId === head.id) return head;
      const base = await getStoredRevision(this.db, row?.revisionId ?? "");
      await document.runStorePending();
      const update = toForeignUpdate(document.doc, base, head);
      const change = update && { seq: document.seq + 1, update, author: head.author };
      if (!(await includeRevision(this.db, document.key, { from: base.id, to: head.id }, change))) continue;
      if (change) {
        document.runInclude(change);
        tellProcesses("updated", flowId);
      }
      return head;
    }
  }

  #expectSave(): void {
    this.#isUnsaved = true;
    this.#saveLater();
  }

  #saveLater(): void {
    if (!this.#isUnsaved || this.#isClosed) return;
    this.#saveTimer ??= globalThis.setTimeout(() => {
      this.#saveTimer = undefined;
      this.save(this.document.lastAuthor).catch((error: unknown) => {
        const isRefusal = error instanceof AppError;
        // An empty text is saved when a user agrees to it; a flow in the trash is not saved.
        if (this.document.isReplaced || (isRefusal && error.code !== "unavailable")) return;
        if (!isRefusal) logger.error({ err: error, flow: this.options.flowId }, "a live flow could not be saved yet");
        this.#saveLater();
      });
    }, saveDelayMs);
    this.#saveTimer.unref();
  }

  /** Saves the document as a revision where it differs from the last one. Resolves to its id. Throws AppError as `saveFlow` does. */
  async save(author: UpdateAuthor, options: SaveOptions = {}): Promise<string> {
    await this.#settling.run(() => !this.#isClosed);
    return this.document.exclusively(async () => {
      for (;;) {
        const head = await this.#includeHead();
        await this.document.runStorePending();
        // Updates that arrived while the last row was written are stored first.
        if (this.document.hasPending) continue;
        if (this.document.isIncomplete)
          throw new AppError("unavailable", "A part of the shared text is missing on the server. Keep this page open.");
        this.#isUnsaved = false;
        try {
          return await this.#saveContent(author, head, options);
        } catch (error) {
          this.#isUnsaved = true;
          if (!(error instanceof AppError) || error.code !== "conflict") throw error;
        }
      }
    });
  }

  /** From now on what requests save over the revisions until now is refused, however late they arrive. */
  refuseLate(author: UpdateAuthor): Promise<void> {
    const { flowId, teamId } = this.options;
    const { key } = this.document;
    const viewer = toTeamViewer(author, { teamId, role: "editor" });
    return this.document.exclusively(async () => {
      for (let attempt = 1; ; attempt++) {
        const { id: baseRevision, source, layout } = await this.#includeHead();
        try {
          await saveBarrier(viewer, flowId, { source, layout, baseRevision }, (tx, revisionId) =>
            tx.flowDocument.update({ where: key, data: { revisionId } }),
          );
          return tellProcesses("saved", flowId);
        } catch (error) {
          const isConflict = error instanceof AppError && error.code === "conflict";
          if (!isConflict || attempt === maxRefusals) throw error;
        }
      }
    });
  }

  async #saveContent(author: UpdateAuthor, head: StoredRevision, options: SaveOptions): Promise<string> {
    const { db } = this;
    const { flowId, teamId, isAtStart } = this.options;
    const { doc, key, seq: savedSeq } = this.document;
    const content = { source: readText(doc), layout: readLayout(doc, head.layout) };
    const viewer = toTeamViewer(author, { teamId, role: "editor" });
    const { revision } = await saveLiveFlow(
      viewer,
      flowId,
      { ...content, ...options, baseRevision: head.id, isAtStart },
      (tx, revisionId) => tx.flowDocument.update({ where: key, data: { revisionId, savedSeq } }),
    );
    if (revision === head.id) await db.flowDocument.updateMany({ where: key, data: { savedSeq } });
    else tellProcesses("saved", flowId);
    return revision;
  }

  /** Stores and saves what is left. Never rejects: what cannot be saved is in the rows, or with those who edited it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#saveTimer);
    try {
      if (this.#isUnsaved && !this.document.isReplaced) await this.save(this.document.lastAuthor);
      await this.mergeRows();
    } catch (error) {
      if (!(error instanceof AppError))
        logger.error({ err: error, flow: this.options.flowId }, "a live flow could not be saved when it was closed");
    }
    this.document.destroy();
  }
}
