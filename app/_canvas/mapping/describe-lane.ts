const laneLabels: ReadonlyMap<string, string> = new Map([
  ["if_true", "yes"],
  ["if_false", "no"],
  ["body", ""],
]);

/** The label of a lane at its first card; empty for most. */
export const describeLane = (lane = ""): string => laneLabels.get(lane) ?? lane;
