const longest = 200;

/** The first of `base`, `base_2`, `base_3` … that is not in use. A number at the end of `base` is replaced. */
export function findFreeName(base: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(base)) return base;
  const stem = base.replace(/_\d{1,9}$/, "");
  for (let number = 2; ; number++) {
    const end = `_${number}`;
    const name = `${stem.slice(0, longest - end.length)}${end}`;
    if (!isTaken(name)) return name;
  }
}
