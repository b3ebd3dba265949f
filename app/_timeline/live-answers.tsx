import { isTerminal } from "@/lib/core/run/events";
import type { RunNode } from "@/lib/core/trace/run-state";
import { agentColor } from "../_ui/agent-color";
import { formatDuration } from "../_ui/format";
import { KindIcon } from "../_ui/kind-icon";
import { statusLooks } from "../_ui/status-badge";

/** Texts that are shown side by side; more could not be read. */
const mostStreams = 12;
/** How much of the end of a text is shown while it grows, in UTF-16 units. */
const tail = 2000;

interface LiveAnswersProps {
  /** The agents of the swarm or group, in order of starting. */
  agents: readonly RunNode[];
  now: number;
  onSelect(id: number): void;
}

/** What the agents of a swarm say while it runs: those at work with their words, those that are done as a line. */
export function LiveAnswers({ agents, now, onSelect }: LiveAnswersProps) {
  const working = agents.filter(({ status }) => !isTerminal(status));
  const done = agents.filter(({ status }) => isTerminal(status));
  return (
    <div className="flex flex-col gap-4 p-4">
      {working.length === 0 && <p className="text-text-muted">Waiting for the next agent …</p>}
      {working.slice(0, mostStreams).map((agent) => (
        <Stream key={agent.id} agent={agent} now={now} onSelect={onSelect} />
      ))}
      {working.length > mostStreams && (
        <p className="text-text-muted">and {working.length - mostStreams} more at work</p>
      )}
      {done.length > 0 && (
        <section aria-label="Done so far" className="border-line border-t pt-3">
          <h3 className="mb-1 text-text-muted text-xs">Done so far</h3>
          <ul>
            {done.map((agent) => (
              <li key={agent.id}>
                <AgentLink agent={agent} now={now} onSelect={onSelect} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface AgentProps {
  agent: RunNode;
  now: number;
  onSelect(id: number): void;
}

function Stream({ agent, now, onSelect }: AgentProps) {
  const { text } = agent.output;
  return (
    <section
      aria-label={`${agent.name} at work`}
      className="border-l-2 pl-3"
      style={{ borderColor: agentColor(agent.name) }}
    >
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
  const { icon: Icon, word, tint, spins } = statusLooks[agent.status];
  const until = agent.endedAt ?? Math.max(now, agent.startedAt);
  return (
    <button
      type="button"
      onClick={() => onSelect(agent.id)}
      className="flex h-7 w-full items-center gap-1.5 rounded text-left hover:bg-surface-hover pointer-coarse:h-10"
    >
      <span style={{ color: agentColor(agent.name) }}>
        <KindIcon kind="agent" />
      </span>
      <span className="truncate font-medium">{agent.name}</span>
      <Icon size={13} role="img" aria-label={word} className={`shrink-0 ${tint} ${spins ? "animate-spin" : ""}`} />
      <span className="ml-auto pr-1 text-text-muted tabular-nums">{formatDuration(until - agent.startedAt)}</span>
    </button>
  );
}
