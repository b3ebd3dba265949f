import "server-only";
import type * as Y from "yjs";
import { AppError } from "../app-error";
import type { Rehearsal } from "../cpu-worker/rehearse-update";
import { runTask } from "../cpu-worker/run-task";
import { isBusyError, isCostError } from "../cpu-worker/worker-pool";
import { encodeReceived, stepLimits } from "./document-state";

/** Includes reading the document and the update. */
const deadlineMs = 5_000;
/** The fewest bytes that add an item to a document, or split one. */
const bytesPerItem = 2;

const tooCostly =
  "This change is too intricate to be merged. Copy what you wrote, open the flow again, and paste it there.";

interface RehearsedDocument {
  readonly doc: Y.Doc;
  readonly takenBytes: number;
}

/** What applying an update to a document took in another thread, and so takes here, as long as the document is nearly the same. */
export class UpdateRehearsal {
  readonly #takenBytes: number;

  private constructor(
    private readonly document: RehearsedDocument,
    takenBytes: number,
    private readonly result: Rehearsal,
  ) {
    this.#takenBytes = takenBytes;
  }

  /** Throws AppError: `too_large` where it takes too long, `unavailable` where too many wait. */
  static async run(document: RehearsedDocument, update: Uint8Array, client: string): Promise<UpdateRehearsal> {
    const { doc, takenBytes } = document;
    const input = { state: encodeReceived(doc), update, maxSteps: stepLimits.update };
    const result = await runTask("rehearse-update", input, { client, deadlineMs }).catch((error: unknown) => {
      if (isCostError(error)) throw new AppError("too_large", tooCostly);
      if (isBusyError(error)) throw new AppError("unavailable", "Too many changes wait. They are sent again.");
      throw error;
    });
    if (result.steps > stepLimits.update) throw new AppError("too_large", tooCostly);
    return new UpdateRehearsal(document, takenBytes, result);
  }

  get steps(): number {
    return this.result.steps;
  }

  /** Whether a part of the update waits for what the document lacks. */
  get isWaiting(): boolean {
    return this.result.isWaiting;
  }

  /** Whether it tells of this document as it is now. Each new item may be in the way of each whose place is searched. */
  holdsFor(document: RehearsedDocument): boolean {
    if (document !== this.document) return false;
    const newItems = (document.takenBytes - this.#takenBytes) / bytesPerItem;
    return newItems * this.result.searched <= stepLimits.update;
  }
}
