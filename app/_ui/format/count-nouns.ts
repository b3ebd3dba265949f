/** `1 error`, `2 errors`. */
export const countNouns = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
