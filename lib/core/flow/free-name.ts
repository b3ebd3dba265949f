const longest = 200;

/** The first of `base`, `base_2`, `base_3` … that is not in use; `first`: another number than 2. A number at the end of `base` is replaced. */
export function findFreeName(base: string, isTaken: (name: string) => boolean, first = 2): string {
  if (!isTaken(base)) return base;
  const stem = base.replace(/_\d{1,9}$/, "");
  for (let number = first; ; number++) {
    const end = `_${number}`;
    const name = `${stem.slice(0, longest - end.length)}${end}`;
    if (!isTaken(name)) return name;
  }
}
