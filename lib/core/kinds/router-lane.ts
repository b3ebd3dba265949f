import type { Expression } from "../flow/expression";

/** One lane of a router. */
export interface RouterLane {
  /** When the model should choose it, in plain words. */
  when: string;
  /** Missing: the text passes through. */
  flow?: Expression;
}

/** The fields of a lane in a flow file. */
export const routerLaneFields = ["when", "flow"] as const;
