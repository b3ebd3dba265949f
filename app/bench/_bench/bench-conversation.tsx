"use client";
import { useState } from "react";
import Conversation from "@/app/_run-view/conversation/conversation";
import { turnsOfNodes } from "@/app/_run-view/source/turn-source";
import { agentColor } from "@/app/_ui/agent-color";
import { toBenchNodes } from "./bench-nodes";
import type { BenchQuery } from "./read-query";

export function BenchConversation({ query }: { query: BenchQuery }) {
  const [{ source, agents, began, until }] = useState(() => {
    const nodes = toBenchNodes(query.agents, query.groups ? 12 : 3);
    const agents = nodes.filter(({ kind }) => kind === "agent").map(({ path, name }) => ({ path, name }));
    const until = nodes[Math.floor(nodes.length / 2)]?.endedAt ?? null;
    return { source: turnsOfNodes(nodes), agents, began: nodes[0]?.startedAt ?? 0, until };
  });
  const [numbers] = useState(() => new Map(agents.map(({ name }, number) => [name, number])));
  const [selected, select] = useState<number | null>(null);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">Conversation</h1>
      <Conversation
        source={source}
        agents={agents}
        colorOf={(name) => agentColor(numbers.get(name))}
        time={{ began, until, live: false }}
        selected={selected}
        onSelect={select}
      />
      <p role="status" className="border-line border-t px-3 py-1 text-text-muted text-xs">
        {selected === null ? "No step is selected" : `Step ${selected} is selected`}
      </p>
    </div>
  );
}
