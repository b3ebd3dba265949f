import * as z from "zod/mini";
import { sameFields } from "@/lib/core/flow/edit";
import { toFingerprint } from "@/lib/core/flow/hash-text";
import { draftPrefix, keepsLocalData } from "../local-data";

/** The texts of a form by the names of its fields. */
export type DraftTexts = Readonly<Record<string, string>>;

/** `start`: fingerprint of the texts that the form began with. `at`: when it was last changed. */
const keptDraftSchema = z.object({ start: z.string(), at: z.number(), texts: z.record(z.string(), z.string()) });

export const maxDrafts = 50;
/** In UTF-16 units, with the names of the fields. */
export const maxDraftLength = 600_000;
const draftsLeftForRoom = 5;
export const maxDraftAgeMs = 30 * 24 * 60 * 60 * 1000;

const fingerprintOf = (texts: DraftTexts): string => toFingerprint(JSON.stringify(texts));

/** What was written and not sent in this browser; null: nothing, or the form begins with other texts now. */
export function readDraft(key: string, start: DraftTexts = {}): DraftTexts | null {
  try {
    const kept = parseDraft(localStorage.getItem(draftPrefix() + key));
    const isCurrent = kept !== null && kept.start === fingerprintOf(start) && Date.now() - kept.at <= maxDraftAgeMs;
    return isCurrent && keepsLocalData() ? kept.texts : null;
  } catch {
    return null;
  }
}

/** Texts with which the form began are no draft. What has no room is not kept, and neither is an older version of it. */
export function keepDraft(key: string, texts: DraftTexts, start: DraftTexts = {}): void {
  const draft = JSON.stringify({ start: fingerprintOf(start), at: Date.now(), texts });
  try {
    if (sameFields(texts, start) || draft.length > maxDraftLength) dropDraft(key);
    else if (keepsLocalData()) storeDraft(draftPrefix() + key, draft);
  } catch {
    dropDraft(key);
  }
}

export function dropDraft(key: string): void {
  try {
    localStorage.removeItem(draftPrefix() + key);
  } catch {
    return;
  }
}

function storeDraft(storageKey: string, draft: string): void {
  if (localStorage.getItem(storageKey) === null) pruneDrafts(maxDrafts - 1);
  try {
    localStorage.setItem(storageKey, draft);
  } catch {
    // The storage is full: older drafts give way.
    pruneDrafts(draftsLeftForRoom);
    localStorage.setItem(storageKey, draft);
  }
}

/** Leaves the newest ones, and none that is too old. */
function pruneDrafts(maxLeft: number): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix()));
  const dated = keys.map((key) => ({ key, at: parseDraft(localStorage.getItem(key))?.at ?? 0 }));
  const oldest = Date.now() - maxDraftAgeMs;
  for (const [index, { key, at }] of dated.toSorted((one, other) => other.at - one.at).entries())
    if (index >= maxLeft || at < oldest) localStorage.removeItem(key);
}

function parseDraft(stored: string | null): z.infer<typeof keptDraftSchema> | null {
  if (stored === null) return null;
  try {
    return keptDraftSchema.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}
