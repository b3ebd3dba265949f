import "server-only";
import * as Y from "yjs";
import { limits } from "@/lib/core/flow/flow";
import { formatCount } from "@/lib/core/flow/format-count";
import { AppError } from "../app-error";
import { runTask } from "../cpu-worker/run-task";
import { isCostError } from "../cpu-worker/worker-pool";
import { countItems, documentLimits, maxAddedClients, maxTypeDepth, stepLimits, tooDeep } from "./document-state";
import { type DecodedUpdate, estimateCost, type UpdateCost } from "./update-cost";
import {
  assertContents,
  assertEntries,
  assertKeys,
  assertNotes,
  hasNotesAhead,
  tooManyChanges,
} from "./update-entries";
import { type DeletedRanges, isItem, listDeleted, type Struct, UpdatePlaces } from "./update-places";

/** The state of a document with everything that was ever deleted from it, in bytes. */
const maxStateBytes = 25_000_000;
/** Of plain values, such as the position of a card. */
const maxValueDepth = 20;
/** Of one plain value, such as what someone changed of the structure: values inside of it, and characters of texts. */
const [maxValues, maxValueCharacters] = [8_000, 500_000];
/** The parts of longer updates are counted in another thread first. */
const maxBytesAtOnce = 64_000;
const countDeadlineMs = 5_000;
/** An update with a cost above these is refused, or applied to a copy in another thread first. */
const maxMoved = 40_000;
export const maxStepsAtOnce = 10_000;

/**
 * Throws AppError: `too_large` for an update with more parts than a document may have, `bad_request` for what is no update.
 * `client` takes turns with others.
 */
export async function assertCountable(update: Uint8Array, client: string): Promise<void> {
  if (update.length <= maxBytesAtOnce) return;
  const options = { client, deadlineMs: countDeadlineMs, isPatient: true };
  const parts = await runTask("count-update", { update }, options).catch((error: unknown) => {
    if (isCostError(error)) return Number.POSITIVE_INFINITY;
    throw new AppError("bad_request", notAnUpdate);
  });
  if (parts > documentLimits.items) throw new AppError("too_large", tooManyChanges);
}

const notAnUpdate = "Expected an update of the document.";

/**
 * Throws AppError: `bad_request` for what is no update of a flow, `too_large` where the flow would exceed its limits. What it
 * takes depends on the update, not on the document, of which nothing is ever taken back. Returns what applying it takes, and
 * whether it notes something of letters that no one has sent yet.
 */
export function assertAcceptable(
  doc: Y.Doc,
  update: Uint8Array,
  storedBytes: number,
): UpdateCost & { isAhead: boolean } {
  const decoded = decode(update);
  const { structs, ds } = decoded;
  for (const struct of structs) assertValues(toValues(struct));
  if (structs.some(isForeign) || !hasOrderedRanges(ds)) throw new AppError("bad_request", notAnUpdate);
  assertClients(doc, structs);
  const cost = estimateCost(doc, decoded, maxStepsAtOnce);
  const waitingBytes = doc.store.pendingStructs?.update.length ?? 0;
  if (
    storedBytes + waitingBytes + update.length > maxStateBytes ||
    countItems(doc) + cost.added > documentLimits.items ||
    cost.moved > maxMoved
  )
    throw new AppError("too_large", tooManyChanges);
  const places = new UpdatePlaces(doc, structs);
  const items = structs.filter(isItem);
  for (const item of items)
    if (item.content instanceof Y.ContentType && places.find(item).depth >= maxTypeDepth)
      throw new AppError("bad_request", tooDeep);
  assertContents(items, places);
  assertKeys(doc, items);
  assertEntries(doc, decoded, places);
  assertNotes(doc, decoded, places);
  assertLength(doc, decoded, { bytes: update.length, places });
  return { ...cost, isAhead: hasNotesAhead(doc, decoded, places) };
}

function assertClients({ store }: Y.Doc, structs: readonly Struct[]): void {
  const clients = new Set(structs.map(({ id }) => id.client));
  const added = [...clients].filter((client) => !store.clients.has(client)).length;
  if (added > maxAddedClients || (added > 0 && store.clients.size + added > documentLimits.clients))
    throw new AppError("too_large", tooManyChanges);
}

/** Throws AppError `too_large` where all updates of a document together would take too many steps. */
export function assertMergeable(steps: number): void {
  if (steps > stepLimits.document) throw new AppError("too_large", tooManyChanges);
}

function assertLength(
  doc: Y.Doc,
  { structs, ds }: DecodedUpdate,
  { bytes, places }: { bytes: number; places: UpdatePlaces },
): void {
  const { length } = doc.getText("source");
  // An update has at least a byte for each character.
  if (length + bytes <= limits.sourceLength) return;
  const added = sumText(doc, structs.filter(isItem), places);
  if (length + added <= limits.sourceLength) return;
  const growth = added - sumDeleted(doc, ds);
  if (growth > 0 && length + growth > limits.sourceLength)
    throw new AppError("too_large", `A flow has at most ${formatCount(limits.sourceLength)} characters.`);
}

function decode(update: Uint8Array): DecodedUpdate {
  try {
    return Y.decodeUpdate(update);
  } catch {
    throw new AppError("bad_request", notAnUpdate);
  }
}

const toValues = (struct: unknown): readonly unknown[] => (isItem(struct) ? valuesOf(struct.content) : []);

/**
 * Items that no editor of a flow writes: formats, of which each makes Yjs look through the text around it, documents in
 * documents, items with a place that depends on later ones of the same client, and insertions without letters, at which Yjs
 * fails.
 */
const isForeign = (struct: Struct): boolean =>
  struct.length === 0 ||
  (isItem(struct) &&
    (struct.content instanceof Y.ContentFormat ||
      struct.content instanceof Y.ContentDoc ||
      [struct.origin, struct.rightOrigin, struct.parent].some((id) => isNotBefore(id, struct.id))));

const isNotBefore = (id: unknown, { client, clock }: Y.ID): boolean =>
  id instanceof Y.ID && id.client === client && id.clock >= clock;

/** As Yjs writes them. Others may name the same part of a document as often as they like. */
const hasOrderedRanges = ({ clients }: DeletedRanges): boolean =>
  [...clients.values()].every((ranges) => {
    let end = 0;
    return ranges.every(({ clock, len }) => {
      const isOrdered = clock >= end && len > 0;
      end = clock + len;
      return isOrdered;
    });
  });

function valuesOf(content: Y.Item["content"]): readonly unknown[] {
  if (content instanceof Y.ContentAny || content instanceof Y.ContentJSON) return content.arr;
  if (content instanceof Y.ContentEmbed) return [content.embed];
  return content instanceof Y.ContentFormat ? [content.value] : [];
}

/** Throws AppError for values that no editor writes. */
function assertValues(values: readonly unknown[]): void {
  let level = values;
  let [count, characters] = [0, 0];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxValueDepth) throw new AppError("bad_request", tooDeep);
    count += level.length;
    characters += level.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
    if (count > maxValues || characters > maxValueCharacters) throw new AppError("too_large", tooManyChanges);
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
}

/** How many characters items that the document has not received add to the source text. */
function sumText(doc: Y.Doc, items: readonly Y.Item[], places: UpdatePlaces): number {
  let sum = 0;
  for (const item of items) {
    const { client, clock } = item.id;
    const known = Math.max(0, Y.getState(doc.store, client) - clock);
    if (item.countable && known < item.length && places.find(item).root === "source") sum += item.length - known;
  }
  return sum;
}

/** How many characters of the source text ranges delete. */
function sumDeleted(doc: Y.Doc, ranges: DeletedRanges): number {
  const source = doc.getText("source");
  let sum = 0;
  for (const { item, length } of listDeleted(doc, ranges)) if (item.countable && item.parent === source) sum += length;
  return sum;
}
