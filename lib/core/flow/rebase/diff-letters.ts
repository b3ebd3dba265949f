import { toMinimalChange } from "../text-change";
import { moveRange, type TextChange } from "../text-range";

/** Longer differences, counted in pairs of letters, are one replacement. */
const mostPairs = 1_000_000;

/** The changes between two texts in which as many letters as possible stay: what others wrote among changed ones stays theirs. */
export function diffLetters(before: string, after: string): TextChange[] {
  const whole = toMinimalChange(before, after);
  if (!whole) return [];
  const [removed, added] = [Array.from(before.slice(whole.from, whole.to)), Array.from(whole.insert)];
  if (removed.length === 0 || added.length === 0 || removed.length * added.length > mostPairs) return [whole];
  const changes: TextChange[] = [];
  let [offset, row, column] = [0, 0, 0];
  let open: TextChange | null = null;
  const lengths = countShared(removed, added);
  const at = (i: number, j: number): number => lengths[i * (added.length + 1) + j] ?? 0;
  while (row < removed.length || column < added.length) {
    const [old = "", next = ""] = [removed[row], added[column]];
    if (row < removed.length && old === next) {
      open = null;
      offset += old.length;
      row++;
      column++;
      continue;
    }
    if (!open) {
      open = { from: offset, to: offset, insert: "" };
      changes.push(open);
    }
    if (column < added.length && (row === removed.length || at(row, column + 1) >= at(row + 1, column))) {
      open.insert += next;
      column++;
    } else {
      offset += old.length;
      open.to = offset;
      row++;
    }
  }
  return changes.map((change) => moveRange(change, whole.from));
}

/** For each pair of rests of the two texts the length of their longest common subsequence. */
function countShared(removed: readonly string[], added: readonly string[]): Uint32Array {
  const width = added.length + 1;
  const lengths = new Uint32Array((removed.length + 1) * width);
  for (let row = removed.length - 1; row >= 0; row--)
    for (let column = added.length - 1; column >= 0; column--) {
      const [below = 0, beside = 0] = [lengths[(row + 1) * width + column], lengths[row * width + column + 1]];
      const diagonal = lengths[(row + 1) * width + column + 1] ?? 0;
      lengths[row * width + column] = removed[row] === added[column] ? diagonal + 1 : Math.max(below, beside);
    }
  return lengths;
}
