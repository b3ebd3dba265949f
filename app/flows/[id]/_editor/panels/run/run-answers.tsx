"use client";

import { CornerDownRight, TriangleAlert } from "lucide-react";
import { memo, useState } from "react";
import { agentColor } from "@/app/_ui/agent-color";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { Markdown } from "@/app/_ui/text/markdown";
import { keyOfPath } from "@/lib/core/flow/node-key";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/events";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import { listWarnings } from "@/lib/core/run/events/warnings";
import type { RunNode, RunState } from "@/lib/core/trace/model/run-state";
import { useEditorState, useSession } from "../../state/session-context";

const mostRows = 200;
const mostStreams = 6;
const output = "";

export function RunAnswers({ state }: { state: RunState }) {
  const { editor } = useSession();
  const selection = useEditorState(({ selection: keys }) => keys);
  const agents = state.nodes.filter((node) => isAgentKind(node.kind));
  const warned = findWarnedSteps(state);
  const [chosen, setChosen] = useState({ path: output, selection });
  if (chosen.selection !== selection) {
    const selectedAgent = agents.findLast((node) => selection.length === 1 && keyOfPath(node.path) === selection[0]);
    setChosen({ path: selectedAgent?.path ?? chosen.path, selection });
  }
  const choose = (path: string): void => {
    const keys = [keyOfPath(path)];
    const isOnCanvas = editor.store.getState().arrangement.nodes.some((node) => node.key === keys[0]);
    setChosen({ path, selection: isOnCanvas ? keys : selection });
    if (isOnCanvas) editor.select(keys);
  };
  const agent = agents.findLast((node) => node.path === chosen.path);
  return (
    <div className="flex min-h-0 flex-1">
      <ul aria-label="Answers" className="w-44 shrink-0 overflow-y-auto border-r border-line py-1 max-sm:w-32">
        <AnswerRow
          name={isTerminal(state.status) ? "Output" : "Live"}
          path={output}
          status={state.status}
          chosen={agent === undefined}
          onChoose={choose}
          final
        />
        {agents.slice(0, mostRows).map(({ id, name, path, status }) => (
          <AnswerRow
            key={id}
            name={name}
            path={path}
            status={status}
            chosen={path === agent?.path}
            onChoose={choose}
            warned={warned.has(id)}
          />
        ))}
        {agents.length > mostRows && (
          <li className="px-3 py-1 text-text-muted text-xs">and {agents.length - mostRows} more</li>
        )}
      </ul>
      <section
        aria-label={agent ? `Answer of ${agent.name}` : "Output of the run"}
        tabIndex={0}
        className="min-w-0 flex-1 overflow-y-auto p-3 outline-offset-[-2px]"
      >
        {agent ? <AgentAnswer agent={agent} /> : <FinalAnswer state={state} />}
      </section>
    </div>
  );
}

function findWarnedSteps({ nodes }: RunState): ReadonlySet<number> {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const warned = new Set<number>();
  for (const { node } of listWarnings(nodes))
    for (let id: number | undefined = node; id !== undefined && !warned.has(id); id = parents.get(id)) warned.add(id);
  return warned;
}

interface AnswerRowProps {
  name: string;
  path: string;
  status: RunStatus;
  chosen: boolean;
  onChoose(path: string): void;
  final?: boolean;
  warned?: boolean;
}

const AnswerRow = memo(function AnswerRow({
  name,
  path,
  status,
  chosen,
  onChoose,
  final = false,
  warned = false,
}: AnswerRowProps) {
  const { icon: Icon, word, spins } = statusStyles[status];
  return (
    <li>
      <button
        type="button"
        aria-current={chosen ? "true" : undefined}
        onClick={() => onChoose(path)}
        className="flex h-7 w-full items-center gap-2 px-3 text-left text-xs hover:bg-surface-hover aria-[current=true]:bg-surface-selected"
      >
        {final ? (
          <CornerDownRight size={12} aria-hidden className="shrink-0 text-text-muted" />
        ) : (
          <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: agentColor(name) }} />
        )}
        <span className={`min-w-0 flex-1 truncate ${final ? "font-semibold" : ""}`}>{name}</span>
        {warned && <TriangleAlert size={12} role="img" aria-label="Has a warning" className="shrink-0 text-warning" />}
        <Icon
          size={12}
          role="img"
          aria-label={word}
          className={`shrink-0 text-text-muted ${spins ? "animate-spin text-running" : ""}`}
        />
      </button>
    </li>
  );
});

function AgentAnswer({ agent }: { agent: RunNode }) {
  if (agent.error) return <p className="text-danger">{agent.error.message}</p>;
  if (agent.output.text !== "") return <Answer text={agent.output.text} cut={agent.output.length !== undefined} />;
  return <p className="text-text-muted">{isTerminal(agent.status) ? "The answer is empty." : "Waiting for output…"}</p>;
}

function FinalAnswer({ state }: { state: RunState }) {
  if (isTerminal(state.status))
    return state.output.text === "" ? (
      <p className="text-text-muted">The run ended without an output.</p>
    ) : (
      <Answer text={state.output.text} cut={state.output.length !== undefined} />
    );
  const working = state.nodes.filter((node) => isAgentKind(node.kind) && node.status === "RUNNING");
  if (working.length === 0)
    return <p className="text-text-muted">{state.waiting > 0 ? "Waiting for an answer…" : "Waiting for output…"}</p>;
  return (
    <div className="grid gap-4 [grid-template-columns:repeat(auto-fit,minmax(min(100%,220px),1fr))]">
      {working.slice(0, mostStreams).map((agent) => (
        <section key={agent.id} aria-label={`${agent.name} is working`} className="min-w-0">
          <h3 className="mb-1 font-semibold text-xs" style={{ color: agentColor(agent.name) }}>
            {agent.name}
          </h3>
          <AgentAnswer agent={agent} />
        </section>
      ))}
      {working.length > mostStreams && (
        <p className="text-text-muted text-xs">and {working.length - mostStreams} more running</p>
      )}
    </div>
  );
}

const Answer = memo(function Answer({ text, cut }: { text: string; cut: boolean }) {
  return (
    <div className="max-w-[72ch]">
      <Markdown text={text} />
      {cut && <p className="mt-2 text-text-muted text-xs">Shortened; the timeline has the full text.</p>}
    </div>
  );
});
