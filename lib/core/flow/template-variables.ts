import type { Range } from "./text-range";

/** What instructions may look up: `${input}`, `${date}`, `${vars.NAME}`, `${outputs.NAME}`. */
export type LookUp =
  | { type: "input" }
  | { type: "date" }
  | { type: "var"; name: string }
  | { type: "output"; name: string };

const pattern = /\$\{(?:(input|date)|(vars|outputs)\.([^{}$]{1,200}))\}/g;

/** Most characters, in UTF-16 units, that look-ups put into one text: a short text can repeat a long one without end. */
export const longestFilled = 2_000_000;

/**
 * Puts into `text` what `find` knows; what it does not know (null) stays as it is written, and so does, with `complete`
 * false, what comes to more than `longestFilled`. A look-up and nothing more: what was put in is not read again.
 */
export function fillWithin(text: string, find: (lookUp: LookUp) => string | null): { text: string; complete: boolean } {
  let left = longestFilled;
  const fillOne = (written: string, word?: string, kind?: string, name = ""): string => {
    const value = left < 0 ? null : find(toLookUp(word, kind, name));
    if (value === null) return written;
    left -= value.length;
    return left < 0 ? written : value;
  };
  const filled = text.replaceAll(pattern, fillOne);
  return { text: filled, complete: left >= 0 };
}

/** As `fillWithin`, for texts that are only shown. */
export const fillLookUps = (text: string, find: (lookUp: LookUp) => string | null): string =>
  fillWithin(text, find).text;

/** What looks like a look-up and is none, e.g. `${HOME}`; each once. */
export const wrongLookUpsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\$\{[^{}$]{1,200}\}/g)]
      .map(([written]) => written)
      .filter((one) => one.replace(pattern, "") !== ""),
  ),
];

/** Everything that a text looks up, each once. */
export function lookUpsIn(text: string): LookUp[] {
  const found = new Map<string, LookUp>();
  for (const [written, word, kind, name = ""] of text.matchAll(pattern)) found.set(written, toLookUp(word, kind, name));
  return [...found.values()];
}

/** Everything in a text that looks like a look-up, with its place; null: it is none. */
export const lookUpPlaces = (text: string): { range: Range; written: string; lookUp: LookUp | null }[] =>
  [...text.matchAll(/\$\{[^{}$\n]{1,200}\}/g)].map(({ index, 0: written }) => ({
    range: { from: index, to: index + written.length },
    written,
    lookUp: lookUpsIn(written)[0] ?? null,
  }));

/** Where `text` looks up outputs, or variables: each name with its place. */
export const namePlaces = (text: string, scope: "outputs" | "vars"): (Range & { name: string })[] =>
  [...text.matchAll(pattern)].flatMap(({ index, 0: written, 2: kind, 3: name }) =>
    kind === scope && name !== undefined
      ? [{ name, from: index + written.length - 1 - name.length, to: index + written.length - 1 }]
      : [],
  );

/** Whether a look-up can hold `name`. */
export const canLookUp = (name: string): boolean => /^[^{}$]{1,200}$/.test(name);

function toLookUp(word: string | undefined, kind: string | undefined, name: string): LookUp {
  if (word === "input" || word === "date") return { type: word };
  return { type: kind === "vars" ? "var" : "output", name };
}
