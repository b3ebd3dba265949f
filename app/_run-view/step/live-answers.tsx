import { formatCount } from "@/lib/core/flow/format-count";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { useThrottled } from "../../_run/follow/throttle";
import { AgentTile } from "../../_ui/badges/agent-tile";
import { statusStyles } from "../../_ui/badges/status-badge";
import { formatDuration } from "../../_ui/format/format";

const mostStreams = 12;
const mostDone = 8;
/** How much of the end of a growing text is visible, in UTF-16 units. */
const tail = 2000;
/** How often the lists change, in milliseconds, to stay readable in a fast run. Texts update at once. */
const listIntervalMs = 300;

export interface LiveAgent {
  id: number;
  name: string;
  color: string;
  status: RunStatus;
  startedAt: number;
  endedAt?: number | undefined;
  text: string;
}

interface LiveAnswersProps {
  agents: readonly LiveAgent[];
  idle: string;
  now: number;
  onSelect(id: number): void;
}

export function LiveAnswers({ agents, idle, now, onSelect }: LiveAnswersProps) {
  const listed = useThrottled(agents, listIntervalMs);
  const newest = new Map(agents.map((agent) => [agent.id, agent]));
  // What is not among the newest has ended: its listed text is older than the one that was shown.
  const working = listed.filter(({ status }) => !isTerminal(status)).flatMap(({ id }) => newest.get(id) ?? []);
  const done = listed.filter(({ status }) => isTerminal(status));
  return (
    <div className="flex flex-col gap-4 p-4">
      {working.length === 0 && <p className="text-text-muted">{idle}</p>}
      {working.slice(0, mostStreams).map((agent) => (
        <Stream key={agent.id} agent={agent} now={now} onSelect={onSelect} />
      ))}
      {working.length > mostStreams && (
        <p className="text-text-muted">and {formatCount(working.length - mostStreams)} more running</p>
      )}
      {done.length > 0 && (
        <section aria-label="Finished" className="border-line border-t pt-3">
          <h3 className="mb-1 text-text-muted text-xs">Finished</h3>
          <ul>
            {done.slice(-mostDone).map((agent) => (
              <li key={agent.id}>
                <AgentLink agent={agent} now={0} onSelect={onSelect} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface AgentProps {
  agent: LiveAgent;
  now: number;
  onSelect(id: number): void;
}

function Stream({ agent, now, onSelect }: AgentProps) {
  const { text } = agent;
  return (
    <section aria-label={`${agent.name} running`} className="border-l-2 pl-3" style={{ borderColor: agent.color }}>
      <AgentLink agent={agent} now={now} onSelect={onSelect} />
      <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text === "" ? (
          <span className="text-text-muted">Thinking …</span>
        ) : text.length > tail ? (
          `… ${text.slice(-tail)}`
        ) : (
          text
        )}
      </p>
    </section>
  );
}

function AgentLink({ agent, now, onSelect }: AgentProps) {
  const { icon: Icon, word, tint, spins } = statusStyles[agent.status];
  const until = agent.endedAt ?? Math.max(now, agent.startedAt);
  return (
    <button
      type="button"
      onClick={() => onSelect(agent.id)}
      className="flex h-7 w-full items-center gap-1.5 rounded text-left hover:bg-surface-hover pointer-coarse:h-10"
    >
      <AgentTile name={agent.name} color={agent.color} />
      <span className="truncate font-medium">{agent.name}</span>
      <Icon size={13} role="img" aria-label={word} className={`shrink-0 ${tint} ${spins ? "animate-spin" : ""}`} />
      <span className="ml-auto pr-1 text-text-muted tabular-nums">{formatDuration(until - agent.startedAt)}</span>
    </button>
  );
}
