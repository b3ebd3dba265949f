const laneLabels: ReadonlyMap<string, string> = new Map([
  ["if_true", "yes"],
  ["if_false", "no"],
  ["body", ""],
]);

export const describeLane = (lane = ""): string => laneLabels.get(lane) ?? lane;
