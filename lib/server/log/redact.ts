import "server-only";

/**
 * Secrets shorter than this are left in texts: replacing `x` wherever it occurs destroys the text and hides nothing.
 * Nothing here writes a secret into a text; this is about servers that repeat what they received.
 */
const shortestRedacted = 12;

/** `text` without the given secrets of 12 or more characters, each as a whole and word by word (`Bearer <token>`). */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    .filter((value) => value.length >= shortestRedacted)
    .toSorted((a, b) => b.length - a.length)
    .reduce((clean, value) => clean.replaceAll(value, "[key]"), text);
}

/** `redactSecrets`, and without anything that looks like a key and passwords in URLs. For messages and addresses. */
export function redact(text: string, secrets: readonly string[]): string {
  return redactSecrets(text, secrets)
    .replace(/\b(?:(?:sk|rk|pk)-[\w*.…-]{6,}|AIza[\w*.…-]{6,})/g, "[key]")
    .replace(/\bBearer\s+[\w.~+/=*-]{6,}/gi, "Bearer [key]")
    .replace(/\/\/[^/@\s]+@/g, "//");
}
