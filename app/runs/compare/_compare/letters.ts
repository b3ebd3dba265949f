/** What the runs of a comparison are called, in their order: the base is A. */
export const letterOf = (index: number): string => String.fromCharCode(65 + index);
