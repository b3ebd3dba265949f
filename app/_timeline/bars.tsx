import { keyNames, keyOfPath } from "@/lib/core/flow/keys";
import { isPlace } from "@/lib/core/run/events";
import type { RunNode } from "@/lib/core/trace/run-state";
import { type SegmentType, type TimeRange, toBar, toSegments } from "@/lib/core/trace/spans";
import { agentColor } from "../_ui/agent-color";

/** Bars are placed on a scale of a thousand. */
const scale = 1000;
const percent = (value: number): string => `${(value / scale) * 100}%`;

const opacity: Record<SegmentType, number> = { queue: 0.1, retry: 0.2, "first-token": 0.4, generate: 1, work: 1 };

interface BarsProps {
  node: RunNode;
  range: TimeRange;
  now: number;
}

/** When a step ran: its segments as bars, its failed attempts as ticks. */
export function Bars({ node, range, now }: BarsProps) {
  const color = node.status === "FAILED" || node.status === "TIMEOUT" ? "var(--danger)" : barColor(node);
  return (
    <>
      {toSegments(node, now).map(({ type, from, to }) => {
        const { x, width } = toBar(from, to, range, scale);
        return (
          <span
            key={`${type} ${from}`}
            data-segment={type}
            className={`absolute ${shapeOf(node)}`}
            style={{ left: percent(x), width: percent(width), background: color, opacity: opacity[type] }}
          />
        );
      })}
      {node.attempts.map(({ attempt, at }) => (
        <span
          key={attempt}
          data-attempt={attempt}
          className="absolute top-[15%] h-[70%] w-0.5 bg-danger"
          style={{ left: percent(toBar(at, at, range, scale).x) }}
        />
      ))}
    </>
  );
}

/** Places are brackets, agents are thick, calls are slim. */
function shapeOf({ kind }: RunNode): string {
  if (isPlace(kind)) return "top-1/2 h-1.5 -translate-y-1/2 rounded-none border-line-strong border-x-2 bg-clip-padding";
  return kind === "agent" ? "top-[22%] h-[56%] rounded-[3px]" : "top-[32%] h-[36%] rounded-[2px]";
}

const barColor = (node: RunNode): string => agentColorOf(node) ?? "var(--line-strong)";

/** The colour of the agent that a step is, or belongs to: its key begins the path. Swarms and groups have none. */
export function agentColorOf({ kind, path, name }: RunNode): string | undefined {
  if (isPlace(kind) || kind === "handoff" || kind === "approval") return undefined;
  // A call stands below its agent: `key#llm-1#tool-1`.
  return agentColor(keyNames(keyOfPath(path)).at(-1) ?? name);
}
