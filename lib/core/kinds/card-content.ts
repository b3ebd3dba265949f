/** What the card or frame of a declaration shows of it, on the canvas and in pictures. */
export type CardContent =
  | {
      type: "agent-card";
      provider: string;
      model: string;
      /** The beginning of them, on one line; empty without any. */
      instructions: string;
      /** The first names, as many as the card has room for, joined by `\n`; a string, so that equal contents compare equal. */
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
const impliedProviders: ReadonlySet<string> = new Set(["openai", "anthropic", "google", "compatible"]);

export const describeModel = (provider: string, model: string): string => {
  if (provider === "") return "no model";
  return impliedProviders.has(provider) ? model : `${provider}:${model}`;
};

/** In pixels: the row and the gap after its last chip, a character, what is around the name in a chip, the number of further tools. */
const toolRoom = { row: 172, character: 6.6, chip: 14, more: 22 } as const;
const mostTools = 3;

/** The first tools whose names can be read on a card, at least one, and the number of the others. */
export function toShownTools(names: readonly string[]): { tools: string; moreTools: number } {
  let [room, count] = [toolRoom.row, 0];
  for (const name of names.slice(0, mostTools)) {
    room -= name.length * toolRoom.character + toolRoom.chip;
    if (count > 0 && room < (count + 1 < names.length ? toolRoom.more : 0)) break;
    count++;
  }
  return { tools: names.slice(0, count).join("\n"), moreTools: names.length - count };
}
