import { laneOf } from "@/lib/core/trace/conversation/conversation-entries";

export interface ConversationLane {
  key: string;
  agent: string;
  label: string;
}

const mostColumns = 4;
/** Least width of a column, in px. */
const columnWidth = 210;

export function toLanes(agents: readonly { path: string; name: string }[]): ConversationLane[] {
  const lanes = new Map(agents.map(({ path, name }) => [laneOf(path), name]));
  const names = [...lanes.values()];
  const isTwice = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return Array.from(lanes, ([key, agent]) => ({ key, agent, label: isTwice(agent) ? key : agent }));
}

/** Whether the lanes fit next to each other in a box of this width, in px. */
export const areColumns = (lanes: readonly ConversationLane[], width: number): boolean =>
  lanes.length > 1 && lanes.length <= mostColumns && width >= lanes.length * columnWidth;
