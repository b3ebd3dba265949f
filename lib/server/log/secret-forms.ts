import "server-only";
import { groupBy } from "@/lib/core/flow/group-by";

/**
 * Secrets shorter than this are left in texts: replacing `x` wherever it occurs destroys the text and hides nothing.
 * Nothing here writes a secret into a text; this is about servers that repeat what they received.
 */
export const shortestRedacted = 12;

interface SecretForms {
  /** Longest first. */
  forms: readonly string[];
  pattern: RegExp;
  /** By the hash of each of the first blocks of a form: where in which forms it is. */
  byBlock: ReadonlyMap<number, readonly FormBlock[]>;
  /** 1 at each of these hashes. */
  blocks: Uint8Array;
  byFirstUnit: ReadonlyMap<string, readonly string[]>;
}

interface FormBlock {
  form: string;
  offset: number;
}

/** By the list, which callers keep, and by the secrets in it, joined. */
const ofLists = new WeakMap<readonly string[], SecretForms | null>();
const ofSecrets = new Map<string, SecretForms | null>();
const mostKept = 50;

/** A pattern that matches every form of these secrets; null: there is none to look for. */
export const secretPattern = (secrets: readonly string[]): RegExp | null => formsOf(secrets)?.pattern ?? null;

/**
 * Whether a text contains a form of these secrets. Looks at one block of three units in ten: a form has at least twelve, so
 * that each occurrence has one of its first ten blocks there. Ten times as fast as the pattern of all forms.
 */
export function hasSecret(text: string, secrets: readonly string[]): boolean {
  const known = formsOf(secrets);
  if (!known) return false;
  for (let at = 0; at + blockUnits <= text.length; at += blockStride) {
    const block = hashBlock(text, at);
    if (known.blocks[block] === 0) continue;
    const places = known.byBlock.get(block);
    if (places?.some(({ form, offset }) => at >= offset && text.startsWith(form, at - offset))) return true;
  }
  return false;
}

const blockUnits = 3;
const blockStride = shortestRedacted - blockUnits + 1;

const blockHashes = 32_768;

const hashBlock = (text: string, at: number): number =>
  (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) % blockHashes;

function groupBlocks(forms: readonly string[]): Pick<SecretForms, "byBlock" | "blocks"> {
  const offsets = Array.from({ length: blockStride }, (_, offset) => offset);
  const places = forms.flatMap((form) => offsets.map((offset) => ({ form, offset })));
  const byBlock = groupBy(places, ({ form, offset }) => hashBlock(form, offset));
  const blocks = new Uint8Array(blockHashes);
  for (const block of byBlock.keys()) blocks[block] = 1;
  return { byBlock, blocks };
}

/** How many units at the end of a text may be the beginning of a secret. */
export function findHeldBack(text: string, secrets: readonly string[]): number {
  const known = formsOf(secrets);
  if (!known) return 0;
  const longest = known.forms[0]?.length ?? 0;
  for (let start = Math.max(0, text.length - longest + 1); start < text.length; start++) {
    const forms = known.byFirstUnit.get(text.charAt(start));
    if (forms === undefined) continue;
    const rest = text.slice(start);
    if (forms.some((form) => form.startsWith(rest))) return rest.length;
  }
  return 0;
}

function formsOf(secrets: readonly string[]): SecretForms | null {
  const ofList = ofLists.get(secrets);
  if (ofList !== undefined) return ofList;
  const id = secrets.join("\n");
  const cached = ofSecrets.get(id);
  const forms = cached === undefined ? toForms(secrets) : cached;
  if (ofSecrets.size >= mostKept) ofSecrets.clear();
  ofSecrets.set(id, forms);
  ofLists.set(secrets, forms);
  return forms;
}

function toForms(secrets: readonly string[]): SecretForms | null {
  const words = secrets.flatMap((secret) => [secret, ...secret.split(/\s+/)]);
  const long = words.filter((word) => word.length >= shortestRedacted);
  const forms = [...new Set(long.flatMap(writeForms))]
    .filter((form) => form.length >= shortestRedacted)
    .sort((a, b) => b.length - a.length);
  if (forms.length === 0) return null;
  const escaped = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const byFirstUnit = groupBy(forms, (form) => form.charAt(0));
  return { forms, pattern: new RegExp(escaped.join("|"), "g"), ...groupBlocks(forms), byFirstUnit };
}

/** The ways in which servers repeat a text that they received in a header or an address. */
function writeForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const escaped = encodeURIComponent(bytes.toString());
  const hex = bytes.toString("hex");
  return [
    secret,
    escaped,
    escaped.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
    ...writeBase64(bytes),
  ];
}

/** In base64 on its own, and inside of a longer text (`user:<key>`), at each of the three positions that it may have there. */
function writeBase64(bytes: Buffer): string[] {
  const inner = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const isWhole = (shift + bytes.length) % 3 === 0;
    return text.slice(shift === 0 ? 0 : shift + 1, isWhole ? undefined : -1);
  });
  const standard = [bytes.toString("base64"), bytes.toString("base64").replace(/=+$/, ""), ...inner];
  return standard.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(text)]);
}
