const counts = new Intl.NumberFormat("en");

/** `10,000`: the same on the server and in every browser. */
export const formatCount = (count: number): string => counts.format(count);

/** `1 error`, `2 errors`, `10,000 errors`. */
export const countNouns = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
