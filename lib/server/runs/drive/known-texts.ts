import "server-only";
import type { Payload } from "@/lib/core/run/events/events";
import { payloadLimit, truncatePayload } from "@/lib/core/trace/model/step-texts";
import { redactSecrets } from "../../log/redact";

interface KnownText {
  clean: string;
  /** Of the clean text; null: not needed yet. */
  beginning: string | null;
}

/** How many texts are known, and how long they are together, in UTF-16 units. */
const [maxTexts, maxUnits] = [20, 8_000_000];

/**
 * The large texts of one run that came last: the same one is the input of thousands of members of a group. Each is searched
 * for keys once, and has one beginning that all of its events share.
 */
export class KnownTexts {
  #texts = new Map<string, KnownText>();
  #units = 0;
  #secrets: readonly string[] = [];

  redact = (text: string, secrets: readonly string[]): string => {
    if (text.length <= payloadLimit) return redactSecrets(text, secrets);
    if (secrets !== this.#secrets) this.#forget(secrets);
    const known = this.#texts.get(text);
    if (known) return known.clean;
    const clean = redactSecrets(text, secrets);
    this.#add(text, { clean, beginning: null });
    return clean;
  };

  truncate = (payload: Payload): Payload => {
    if (payload.text.length <= payloadLimit) return payload;
    const known = this.#texts.get(payload.text) ?? this.#add(payload.text, { clean: payload.text, beginning: null });
    known.beginning ??= copyText(truncatePayload(payload).text);
    return { text: known.beginning, length: payload.length ?? payload.text.length };
  };

  #add(text: string, known: KnownText): KnownText {
    this.#texts.set(text, known);
    this.#units += text.length;
    for (const oldest of this.#texts.keys()) {
      if (oldest === text || (this.#texts.size <= maxTexts && this.#units <= maxUnits)) break;
      this.#texts.delete(oldest);
      this.#units -= oldest.length;
    }
    return known;
  }

  #forget(secrets: readonly string[]): void {
    this.#texts = new Map();
    this.#units = 0;
    this.#secrets = secrets;
  }
}

/** A text of its own: the beginning of a text else keeps the whole of it in memory. */
const copyText = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");
