const longest = 200;

/** The name of a copy: `Article (copy)`, then `Article (copy 2)`, `Article (copy 3)` … A copy of a copy counts on. */
export function toCopyName(name: string, isTaken: (name: string) => boolean): string {
  const stem = name.replace(/ \(copy(?: \d{1,9})?\)$/, "");
  for (let number = 1; ; number++) {
    const end = number === 1 ? " (copy)" : ` (copy ${number})`;
    const copy = `${stem.slice(0, longest - end.length)}${end}`;
    if (!isTaken(copy)) return copy;
  }
}
