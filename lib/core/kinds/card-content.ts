/** What the card or frame of a declaration shows of it, on the canvas and in pictures. */
export type CardContent =
  | {
      type: "agent-card";
      provider: string;
      model: string;
      /** The beginning of them, on one line; empty without any. */
      instructions: string;
      /** At most three names, joined by `\n`; a string, so that equal contents compare equal. */
      tools: string;
      moreTools: number;
    }
  | {
      type: "frame";
      /** Missing: a rectangle. */
      shape?: "diamond" | "hexagon";
      /** On a card: what it does; may be empty. */
      detail: string;
      /** In words; otherwise as code. */
      detailIsText?: boolean;
      /** As code: what decides about its lanes or rounds. */
      condition?: string;
      /** In words: how often or how many at most. */
      limit?: string;
    };

/** Providers whose models have names of their own need not be named. */
const impliedProviders: ReadonlySet<string> = new Set(["openai", "anthropic", "google"]);

export const describeModel = (provider: string, model: string): string => {
  if (provider === "") return "no model";
  return impliedProviders.has(provider) ? model : `${provider}:${model}`;
};
