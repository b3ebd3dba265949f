import "server-only";
import { findHeldBack, hasSecret, secretPattern, shortestRedacted } from "./secret-forms";

/**
 * `text` without the given secrets of 12 or more characters, each as a whole and word by word (`Bearer <token>`), also
 * in base64, in hexadecimal digits and escaped for a URL.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const pattern = secretPattern(secrets);
  return pattern === null || !hasSecret(text, secrets) ? text : text.replace(pattern, "[key]");
}

/** `redactSecrets`, and without anything that looks like a key and passwords in URLs. For messages and addresses. */
export function redact(text: string, secrets: readonly string[]): string {
  return redactSecrets(text, secrets)
    .replace(/\b(?:(?:sk|rk|pk)-[\w*.…-]{6,}|AIza[\w*.…-]{6,})/g, "[key]")
    .replace(/\bBearer\s+[\w.~+/=*-]{6,}/gi, "Bearer [key]")
    .replace(/\/\/[^/@\s]+@/g, "//");
}

/** A message of `JSON.parse` without the part of the text that it quotes. */
export const withoutQuotedJson = (message: string): string =>
  message.replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, " in JSON");

/**
 * A value of plain data with `redactSecrets` applied to every text in it; itself where there is nothing to redact.
 * `redactText`: for a caller that knows what some texts become.
 */
export function redactTexts<T>(
  value: T,
  secrets: readonly string[],
  redactText?: (text: string, secrets: readonly string[]) => string,
): T;
export function redactTexts(value: unknown, secrets: readonly string[], redactText = redactSecrets): unknown {
  if (secretPattern(secrets) === null) return value;
  return mapTexts(value, (text) => (text.length < shortestRedacted ? text : redactText(text, secrets)));
}

/** A copy is made only of what changes: this looks at everything that runs produce. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mapTexts(item, change));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed: Map<string, unknown> | undefined;
  for (const [name, item] of Object.entries(value)) {
    if (typeof item !== "string" && typeof item !== "object") continue;
    const mapped = mapTexts(item, change);
    if (mapped === item) continue;
    changed ??= new Map(Object.entries(value));
    changed.set(name, mapped);
  }
  return changed ? Object.fromEntries(changed) : value;
}

/** Redacts a text that comes in pieces: what may be the beginning of a secret is held back until it is known to be none. */
export class StreamRedactor {
  #heldBack = "";

  constructor(private readonly secrets: readonly string[]) {}

  /** What of the text so far can be shown now; may be empty. */
  add(piece: string): string {
    const text = this.#heldBack + piece;
    let end = text.length - findHeldBack(text, this.secrets);
    let [shown, at] = ["", 0];
    const pattern = secretPattern(this.secrets);
    const matches = pattern !== null && text.search(pattern) >= 0 ? text.matchAll(pattern) : [];
    for (const match of matches) {
      // It may go on as a longer form.
      if (match.index >= end) break;
      shown += `${text.slice(at, match.index)}[key]`;
      at = match.index + match[0].length;
      if (at > end) end = text.length - findHeldBack(text.slice(at), this.secrets);
    }
    this.#heldBack = text.slice(end);
    return shown + text.slice(at, end);
  }

  /** What was held back; the text has ended. */
  end(): string {
    const text = redactSecrets(this.#heldBack, this.secrets);
    this.#heldBack = "";
    return text;
  }
}
