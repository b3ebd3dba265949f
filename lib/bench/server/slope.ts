/** A measurement at a moment, in any units. */
export interface Sample {
  at: number;
  value: number;
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return ((low ?? 0) + (high ?? 0)) / 2;
};

/**
 * By how much a value grows per unit of time: the median of the slopes between all pairs of samples (Theil 1950, Sen
 * 1968). Single samples that are far off do not change it, up to 29 of 100. 0 for fewer than two samples.
 */
export function estimateSlope(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((first, index) =>
    samples
      .slice(index + 1)
      .filter(({ at }) => at !== first.at)
      .map(({ at, value }) => (value - first.value) / (at - first.at)),
  );
  return slopes.length === 0 ? 0 : median(slopes);
}
