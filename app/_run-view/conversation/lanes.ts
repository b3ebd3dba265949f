import { laneOf } from "@/lib/core/trace/conversation/conversation-entries";

/** One agent of a conversation, in whatever round or visit it speaks. */
export interface ConversationLane {
  key: string;
  /** The agent's, which gives the colour. */
  agent: string;
  /** What it is called here. */
  label: string;
}

/** Lanes that fit side by side. */
const mostColumns = 4;
/** Least width of a column, in px. */
const columnWidth = 210;

/** The agents of a conversation, each once, in the order given. Where two have one name, the place tells them apart. */
export function toLanes(agents: readonly { path: string; name: string }[]): ConversationLane[] {
  const lanes = new Map(agents.map(({ path, name }) => [laneOf(path), name]));
  const names = [...lanes.values()];
  const isTwice = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return Array.from(lanes, ([key, agent]) => ({ key, agent, label: isTwice(agent) ? key : agent }));
}

/** Whether the lanes stand side by side in a box of some width, in px; else one below the other. */
export const areColumns = (lanes: readonly ConversationLane[], width: number): boolean =>
  lanes.length > 1 && lanes.length <= mostColumns && width >= lanes.length * columnWidth;
