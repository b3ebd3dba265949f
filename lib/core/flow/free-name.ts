const longest = 200;

/** `base`, `base_2`, `base_3` …: the first that is not taken. A number that `base` ends with is counted on from. */
export function findFreeName(base: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(base)) return base;
  const stem = base.replace(/_\d{1,9}$/, "");
  for (let number = 2; ; number++) {
    const end = `_${number}`;
    const name = `${stem.slice(0, longest - end.length)}${end}`;
    if (!isTaken(name)) return name;
  }
}
