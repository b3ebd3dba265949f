/** Fewest and most runs of one comparison. */
export const fewestComparedRuns = 2;
export const mostComparedRuns = 6;
