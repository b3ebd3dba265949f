import { formatCount } from "@/lib/core/flow/format-count";
import { AgentTile } from "../../_ui/badges/agent-tile";
import { Select } from "../../_ui/controls/select";
import type { ConversationLane } from "./lanes";

interface LaneHeadProps {
  lanes: readonly ConversationLane[];
  colorOf(name: string): string;
  /** Number of columns; 0: the turns form one list. */
  columns: number;
  /** Key of the only visible lane; empty: all are visible. */
  only: string;
  onChoose(key: string): void;
}

export function LaneHead({ lanes, colorOf, columns, only, onChoose }: LaneHeadProps) {
  if (lanes.length < 2) return null;
  if (columns === 0)
    return (
      <div className="flex items-center gap-2 border-line border-b px-3 py-1.5">
        <Select
          label="Agent"
          value={only}
          options={[
            ["", `All ${formatCount(lanes.length)} agents`],
            ...lanes.map(({ key, label }) => [key, label] as const),
          ]}
          onChange={onChoose}
          className="h-8 max-w-full rounded-md border-line-input px-2"
        />
      </div>
    );
  return (
    <ul aria-label="Agents" className="flex border-line border-b bg-surface-sunken px-3 text-xs">
      {lanes.map(({ key, agent, label }) => (
        <li key={key} className="flex h-8 min-w-0 flex-1 items-center gap-1.5">
          <AgentTile name={agent} color={colorOf(agent)} />
          <span className="truncate font-medium">{label}</span>
        </li>
      ))}
    </ul>
  );
}
