/** Splits `provider:model`; no colon means `openai`. Only the first colon separates. */
export function parseModel(text: string): { provider: string; name: string } {
  const colon = text.indexOf(":");
  return colon < 0
    ? { provider: "openai", name: text }
    : { provider: text.slice(0, colon), name: text.slice(colon + 1) };
}
