const wordPattern = /[\p{L}\p{M}]+|\p{N}+/gu;

/** At most two characters as the mark of a name: `planner` is PL, `fact_checker` FC, `researcher_12` R2. */
export function toInitials(name: string): string {
  const words = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").match(wordPattern) ?? [];
  const [first = name, second] = words;
  const last = words.at(-1);
  const characters =
    second === undefined || last === undefined
      ? [...first].slice(0, 2)
      : [[...first][0] ?? "", /^\p{N}/u.test(last) ? ([...last].at(-1) ?? "") : ([...second][0] ?? "")];
  return characters.join("").toUpperCase();
}
