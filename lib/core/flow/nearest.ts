/** The candidate closest to `name` by edit distance, when it is close enough to be a slip of the pen; else null. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  const most = Math.max(1, Math.floor(Math.min(name.length, 40) / 3));
  let best: { candidate: string; distance: number } | null = null;
  for (const candidate of candidates.slice(0, 2000)) {
    if (Math.abs(candidate.length - name.length) > most) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), most);
    if (distance <= most && (!best || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate ?? null;
}

/** Levenshtein distance, given up as `most + 1` once it is certain to be larger. */
function editDistance(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length] ?? 0;
}
