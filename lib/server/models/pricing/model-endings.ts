import "server-only";
import type { ModelEnding } from "@/lib/core/check/offer";

/** How long before its end a model is reported, in days. */
const noticeDays = 90;

/** A day, the models whose last one it is, and what their provider names in their place. */
type Ending = readonly [on: string, names: string, next?: string];

/**
 * What providers have announced, by provider, as of 27 November 2026. Names are without the date of a snapshot; a snapshot with an end of its own has its
 * date. OpenAI: https://developers.openai.com/api/docs/deprecations. Anthropic, of which "not before" is no end:
 * https://platform.claude.com/docs/en/about-claude/model-deprecations. Google: https://ai.google.dev/gemini-api/docs/deprecations
 */
const endings = new Map(
  Object.entries<readonly Ending[]>({
    openai: [
      ["2025-07-14", "gpt-4.5-preview", "gpt-4.1"],
      ["2025-07-28", "o1-preview", "o3"],
      ["2025-10-27", "o1-mini", "o4-mini"],
      ["2025-06-06", "gpt-4-32k gpt-4-32k-0613 gpt-4-32k-0314", "gpt-4o"],
      ["2026-02-13", "chatgpt-4o-latest"],
      ["2026-07-23", "gpt-5-codex gpt-5.1-codex-max gpt-5.2-codex gpt-5.1-codex gpt-5.1-codex-mini", "gpt-5.4"],
      ["2026-07-23", "gpt-5-chat-latest gpt-5.1-chat-latest", "gpt-5.6-sol"],
      ["2026-07-23", "o3-deep-research o4-mini-deep-research", "gpt-5.4-pro"],
      ["2026-07-23", "computer-use-preview", "gpt-5.4-mini"],
      ["2026-07-23", "gpt-4o-search-preview gpt-4o-mini-search-preview"],
      ["2026-08-10", "gpt-5.2-chat-latest gpt-5.3-chat-latest", "gpt-5.6-sol"],
      ["2026-09-28", "gpt-3.5-turbo-instruct gpt-3.5-turbo-1106 babbage-002 davinci-002", "gpt-5.6-terra"],
      ["2026-10-23", "gpt-3.5-turbo gpt-3.5-turbo-0125 o4-mini", "gpt-5.6-terra"],
      [
        "2026-10-23",
        "gpt-4 gpt-4-0613 gpt-4-1106-preview gpt-4-turbo gpt-4o-2024-05-13 o1 o3-mini o1-pro",
        "gpt-5.6-sol",
      ],
      ["2026-10-23", "gpt-4.1-nano", "gpt-5.6-luna"],
      ["2026-12-11", "gpt-5 gpt-5-pro o3 o3-pro", "gpt-6.1-sol"],
      ["2026-12-11", "gpt-5-mini", "gpt-6.1-terra"],
      ["2026-12-11", "gpt-5-nano", "gpt-6-luna"],
      ["2027-01-14", "gpt-4o gpt-4o-mini gpt-4.1 gpt-4.1-mini", "gpt-6-luna"],
      ["2027-04-01", "gpt-5.1 gpt-5.3-codex gpt-5.4-nano"],
    ],
    anthropic: [
      ["2024-11-06", "claude-instant-1.2"],
      ["2025-07-21", "claude-2.0 claude-2.1 claude-3-sonnet", "claude-sonnet-4-6"],
      ["2025-10-28", "claude-3-5-sonnet", "claude-sonnet-4-6"],
      ["2026-01-05", "claude-3-opus", "claude-opus-4-8"],
      ["2026-02-19", "claude-3-7-sonnet", "claude-sonnet-4-6"],
      ["2026-02-19", "claude-3-5-haiku", "claude-haiku-4-5"],
      ["2026-04-20", "claude-3-haiku", "claude-haiku-4-5"],
      ["2026-06-15", "claude-opus-4 claude-opus-4-0", "claude-opus-4-8"],
      ["2026-06-15", "claude-sonnet-4 claude-sonnet-4-0", "claude-sonnet-4-6"],
      ["2026-08-05", "claude-opus-4-1", "claude-opus-4-8"],
      ["2026-11-30", "claude-sonnet-4-5", "claude-sonnet-5-5"],
    ],
    google: [
      ["2025-09-24", "gemini-1.5-pro gemini-1.5-flash gemini-1.5-flash-8b", "gemini-2.5-flash-lite"],
      ["2026-03-09", "gemini-3-pro-preview", "gemini-3.1-pro-preview"],
      ["2026-06-01", "gemini-2.0-flash gemini-2.0-flash-001", "gemini-2.5-flash-lite"],
      ["2026-06-01", "gemini-2.0-flash-lite gemini-2.0-flash-lite-001", "gemini-2.5-flash-lite"],
      ["2026-12-01", "gemini-2.5-pro", "gemini-3.8-flash"],
      ["2026-12-01", "gemini-2.5-flash", "gemini-3.5-flash-lite"],
      ["2027-05-07", "gemini-3.1-flash-lite"],
    ],
  }).map(([provider, ends]) => [provider, new Map(ends.flatMap(toEndings))] as const),
);

function toEndings([on, names, next]: Ending): [string, { on: string; next?: string }][] {
  return names.split(" ").map((name) => [name, { on, ...(next !== undefined && { next }) }]);
}

/** The announced end of a model at its own provider: the day, and what takes its place. Undefined: none is announced. */
export function findEnding(provider: string, name: string): { on: string; next?: string } | undefined {
  const known = endings.get(provider);
  return known?.get(name) ?? known?.get(name.replace(/-\d{4}-?\d{2}-?\d{2}$/, ""));
}

/** The models of a provider that it has stopped serving, or will within some weeks. `today`: `YYYY-MM-DD`. */
export function listEndings(provider: string, today: string): ModelEnding[] {
  const latest = new Date(Date.parse(today) + noticeDays * 86_400_000).toISOString().slice(0, 10);
  return [...(endings.get(provider) ?? [])].flatMap(([model, ending]) =>
    ending.on <= latest ? [{ model, ...ending, isOver: ending.on < today }] : [],
  );
}
