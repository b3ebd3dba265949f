import "server-only";

/** Families of OpenAI's models by their names, as of November 2026. */
export const openAiFamilies = {
  /** They never think, and take no parameter of thinking. */
  plain: /^gpt-(?:3\.5|4|5-chat-latest)/,
  thinking: /^(?:o\d|gpt-(?:5(?!-chat)|[6-9]))/,
  /** They think unless `reasoning.effort` is `none`; older ones always do. */
  mayRest: /^gpt-(?:5\.[1-9]|6-(?!astra)|6\.1-terra)/,
  /** Tools in Chat Completions only with an effort of `none`. */
  toolsAtRest: /^gpt-(?:5\.[5-9]|6)/,
  /** No tools in Chat Completions at all. */
  toolsNever: /^gpt-6(?:-astra|\.1)/,
  /** Without Chat Completions. */
  responsesOnly: /-pro(?:-|$)|codex|computer-use|deep-research/,
  /** Without the role `system`. */
  withoutSystem: /^o1-(?:mini|preview)/,
};

/** The efforts that a model takes; null: not known. */
export function effortsOf(model: string): readonly string[] | null {
  const found = efforts.find(([names]) => names.test(model));
  return found ? found[1] : null;
}

const efforts: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^gpt-5-pro/, ["high"]],
  [/^gpt-5\.\d-pro/, ["medium", "high", "xhigh"]],
  [/^gpt-5(?:-mini|-nano)?(?:-\d|$)/, ["minimal", "low", "medium", "high"]],
  [/^gpt-5\.1(?:-\d|$)/, ["none", "low", "medium", "high"]],
  [/^gpt-5\.[2-5](?:-mini|-nano)?(?:-\d|$)/, ["none", "low", "medium", "high", "xhigh"]],
  [/^gpt-(?:6-astra|6\.1-sol)/, ["low", "medium", "high", "xhigh", "max"]],
  [/^gpt-(?:5\.6|6)/, ["none", "low", "medium", "high", "xhigh", "max"]],
  [/^o\d/, ["low", "medium", "high"]],
];
