import "server-only";
import { z } from "zod";
import { AppError } from "../app-error";
import { type ConnectionKind, connectionKinds } from "../models/model-port";
import { assertConnectableNow, type CheckedReach } from "../net/connectable";
import { type Lookup, parseHttpUrl, systemLookup } from "../net/guard";

/** What is entered: a missing field keeps what is stored, an empty one removes it. */
export const connectionSettingSchema = z.strictObject({
  key: z.string().trim().max(8000).optional(),
  baseUrl: z.string().trim().max(2000).optional(),
});
export type ConnectionSetting = z.infer<typeof connectionSettingSchema>;

/** Keys of less than this show none of their characters. */
const shortestShown = 16;

export const lastFourOf = (key: string): string => (key.length < shortestShown ? "" : key.slice(-4));

/** The kind of a provider. Throws AppError `not_found`. */
export function findKind(provider: string): ConnectionKind {
  const kind = connectionKinds.find(({ id }) => id === provider);
  if (kind) return kind;
  const known = connectionKinds.map(({ id }) => id).join(", ");
  throw new AppError("not_found", `There is no provider "${provider.slice(0, 40)}" to connect. There are: ${known}.`);
}

/** Beginnings of keys, for keys that were pasted into the wrong field. The longest first. */
const keyBeginnings = [
  ["sk-ant-", "anthropic", "Anthropic"],
  ["AIza", "google", "Google"],
  ["sk-proj-", "openai", "OpenAI"],
] as const;

/** What is obviously wrong with a key, as a sentence that does not quote it; null: nothing. */
export function findKeyMistake(key: string, kind: ConnectionKind, baseUrl: string): string | null {
  if (/^[A-Z][A-Z0-9_]*\s*=/.test(key))
    return "This is a whole line of a settings file: enter only what follows the `=`.";
  if (/^bearer\s/i.test(key)) return "Enter the key without `Bearer` in front of it.";
  if (/^(["'`]).*\1$/s.test(key)) return "Enter the key without the quotes around it.";
  if (/^https?:\/\//i.test(key)) return "This is an address, not a key: enter it as the base URL.";
  if (/\s/.test(key)) return "A key has no spaces or line breaks inside: copy it again.";
  if (/^[•*●…]+/.test(key)) return "These are the dots of a hidden key: copy the key itself.";
  if (!/^[\x21-\x7e]+$/.test(key)) return "A key consists of plain letters, digits and signs: copy it again.";
  if (!kind.needsKey || (baseUrl !== "" && baseUrl !== kind.ownUrl)) return null;
  if (key.length < 16) return `A key of ${kind.label} is longer than ${key.length} characters: copy the whole of it.`;
  const [, id, owner] = keyBeginnings.find(([beginning]) => key.startsWith(beginning)) ?? [];
  if (id === undefined || id === kind.id) return null;
  return `This looks like a key of ${owner}, not of ${kind.label}.`;
}

/** A base URL as it is stored: without a slash at its end. Throws AppError `bad_request` for one that may not be reached. */
export async function checkBaseUrl(text: string, reach: CheckedReach, lookup: Lookup = systemLookup): Promise<string> {
  if (text === "") return "";
  try {
    const url = parseHttpUrl(text);
    if (url.search !== "" || url.hash !== "") throw new Error("a base URL has no ? and no #");
    await assertConnectableNow(url.href, reach, lookup);
    return url.href.replace(/\/+$/, "");
  } catch (error) {
    throw new AppError("bad_request", `\`baseUrl\`: ${error instanceof Error ? error.message : "cannot be used"}.`);
  }
}
