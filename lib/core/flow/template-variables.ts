import type { TextRange } from "./text-range";

/** The variables of instructions: `${input}`, `${date}`, `${vars.NAME}`, `${outputs.NAME}`. */
export type LookUp =
  | { type: "input" }
  | { type: "date" }
  | { type: "var"; name: string }
  | { type: "output"; name: string };

const pattern = /\$\{(?:(input|date)|(vars|outputs)\.([^{}$]{1,200}))\}/g;

/** Maximum length, in UTF-16 units, of all values in one text: a short text can repeat a long value many times. */
export const longestFilled = 2_000_000;

/**
 * Replaces the look-ups of `text` by the values that `find` returns. Look-ups without a value (null) remain as written; so
 * do those beyond `longestFilled`, and then `complete` is false. Values are not expanded again.
 */
export function fillWithin(text: string, find: (lookUp: LookUp) => string | null): { text: string; complete: boolean } {
  let charactersLeft = longestFilled;
  const fillLookUp = (written: string, word?: string, kind?: string, name = ""): string => {
    const value = charactersLeft < 0 ? null : find(toLookUp(word, kind, name));
    if (value === null) return written;
    charactersLeft -= value.length;
    return charactersLeft < 0 ? written : value;
  };
  const filled = text.replaceAll(pattern, fillLookUp);
  return { text: filled, complete: charactersLeft >= 0 };
}

/** As `fillWithin`, for display. */
export const fillLookUps = (text: string, find: (lookUp: LookUp) => string | null): string =>
  fillWithin(text, find).text;

/** Texts in the form of a look-up that are none, e.g. `${HOME}`; each once. */
export const wrongLookUpsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\$\{[^{}$]{1,200}\}/g)]
      .map(([written]) => written)
      .filter((lookUpText) => lookUpText.replace(pattern, "") !== ""),
  ),
];

/** The look-ups of a text, each once. */
export function lookUpsIn(text: string): LookUp[] {
  const lookUps = new Map<string, LookUp>();
  for (const [written, word, kind, name = ""] of text.matchAll(pattern))
    lookUps.set(written, toLookUp(word, kind, name));
  return [...lookUps.values()];
}

/** Every text in the form of a look-up, with its range; `lookUp` null: it is none. */
export const lookUpPlaces = (text: string): { range: TextRange; written: string; lookUp: LookUp | null }[] =>
  [...text.matchAll(/\$\{[^{}$\n]{1,200}\}/g)].map(({ index, 0: written }) => ({
    range: { from: index, to: index + written.length },
    written,
    lookUp: lookUpsIn(written)[0] ?? null,
  }));

/** The outputs, or variables, that `text` looks up: each name with its range. */
export const namePlaces = (text: string, scope: "outputs" | "vars"): (TextRange & { name: string })[] =>
  [...text.matchAll(pattern)].flatMap(({ index, 0: written, 2: kind, 3: name }) =>
    kind === scope && name !== undefined
      ? [{ name, from: index + written.length - 1 - name.length, to: index + written.length - 1 }]
      : [],
  );

/** Whether a look-up can contain `name`. */
export const canLookUp = (name: string): boolean => /^[^{}$]{1,200}$/.test(name);

function toLookUp(word: string | undefined, kind: string | undefined, name: string): LookUp {
  if (word === "input" || word === "date") return { type: word };
  return { type: kind === "vars" ? "var" : "output", name };
}
