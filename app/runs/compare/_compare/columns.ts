/** Around both tables of a comparison, that of the runs and that of their steps: the width that runs share. Two fit on a phone. */
export const tablesStyle =
  "@container [--least-run-width:7.5rem] [--step-width:6rem] sm:[--least-run-width:12rem] sm:[--step-width:18rem]";

/** Sets the width of a run's column: less than its share, so that a scroll bar in one table moves no column. */
export const toRunWidth = (runs: number): Record<"--run-width", string> => ({
  "--run-width": `max(var(--least-run-width), (100cqw - var(--step-width) - 1.25rem) / ${runs})`,
});

/** For a table that gives its last run the width that is left. */
export const toTableWidth = (runs: number): Record<"minWidth", string> => ({
  minWidth: `calc(var(--step-width) + ${runs} * var(--run-width))`,
});

export const columnStyles = {
  step: "sticky left-0 z-10 w-(--step-width) shrink-0",
  run: "w-(--run-width) shrink-0 px-2 sm:px-3",
} as const;
