import "server-only";
import { findProvider } from "@pydantic/genai-prices";

/** Names in the price list that are no models to chat with. */
const notForChat =
  /audio|live|realtime|transcribe|tts|image|embedding|moderation|whisper|search|computer|codex|deep-research|instruct|oss|:|^ft|^(?:ada|babbage|curie|davinci|text-)|preview|chat-latest|\d{4}-\d{2}-\d{2}|-\d{4}$/;

const families = {
  openai: /^(?:gpt-[4-9]|o\d)/,
  anthropic: /^claude-(?!v\d|2|3-|\d)/,
  google: /^gemini-(?:2\.5|[3-9])/,
};

const versionOf = (model: string): number =>
  Number(/(\d+(?:[.-]\d{1,2})?)(?!\d)/.exec(model)?.[1]?.replace("-", ".") ?? 0);

/** Models to suggest for a provider, newest first, from the bundled price list. Any other name may be typed, too. */
export function suggestModels(provider: keyof typeof families): string[] {
  const listedModels = findProvider({ providerId: provider })?.models ?? [];
  return listedModels
    .filter(({ id, deprecated }) => families[provider].test(id) && !notForChat.test(id) && !deprecated)
    .map(({ id }) => id)
    .sort((a, b) => versionOf(b) - versionOf(a) || a.localeCompare(b, "en"));
}

/**
 * Tokens that a Claude model may answer with when a flow sets no limit: Anthropic wants one in every request.
 * Limits of Anthropic's model overview, August 2026: 4,096 for the first Claude 3 models, 8,192 for 3.5, at least
 * 32,000 for all later ones.
 */
export function defaultMaxTokens(model: string): number {
  if (/claude-(?:2|v\d|instant|3-(?:haiku|opus|sonnet))/.test(model)) return 4096;
  return /claude-3-5/.test(model) ? 8192 : 32_000;
}
