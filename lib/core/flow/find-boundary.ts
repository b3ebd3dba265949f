/**
 * The first index below `length` of which `isBeyond` is true; `length` when it is true of none. Whatever follows an index
 * of which it is true must be so, too: the search halves.
 */
export function findBoundary(length: number, isBeyond: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBeyond(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
