/** Around both tables of a comparison, that of the runs and that of their steps: the width that runs share. Two fit on a phone. */
export const tablesStyle =
  "@container [--columns:2] [--least-run-width:7.5rem] [--step-width:6rem] sm:[--columns:var(--runs)] sm:[--least-run-width:12rem] sm:[--step-width:18rem]";

/** Sets the width of a run's column: less than its share, so that a scroll bar in one table moves no column. */
export const toRunWidth = (runs: number): Record<"--runs" | "--run-width", string> => ({
  "--runs": String(runs),
  "--run-width": "max(var(--least-run-width), (100cqw - var(--step-width) - 1.25rem) / var(--columns))",
});

/** For a table that gives its last run the width that is left. */
export const tableWidth: Record<"minWidth", string> = {
  minWidth: "calc(var(--step-width) + var(--columns) * var(--run-width))",
};

/** Of the runs, a phone has the base and the one that it is compared to. */
export const phoneStyle = (index: number, against: number): string =>
  index === 0 || index === against ? "" : "max-sm:hidden";

export const columnStyles = {
  step: "sticky left-0 z-10 w-(--step-width) shrink-0",
  run: "w-(--run-width) shrink-0 px-2 sm:px-3",
} as const;
