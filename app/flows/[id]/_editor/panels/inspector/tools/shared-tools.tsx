"use client";

import type { Edit } from "@/lib/core/flow/edit";
import type { Agent } from "@/lib/core/kinds/agent";
import { useSession } from "../../../state/session-context";
import { Section } from "../fields/section";

interface SharedToolsProps {
  agents: readonly Agent[];
  onEdit(...edits: Edit[]): boolean;
}

export function SharedTools({ agents, onEdit }: SharedToolsProps) {
  const { seed } = useSession();
  const names = [...new Set([...agents.flatMap(({ tools }) => tools), ...seed.tools.map(({ name }) => name)])];
  const set = (tool: string, isOn: boolean): void =>
    void onEdit(
      ...agents
        .filter(({ tools }) => tools.includes(tool) !== isOn)
        .flatMap((agent) => (isOn ? giveTool(agent, tool) : takeTool(agent, tool))),
    );
  return (
    <Section title="Tools of all agents">
      <ul className="grid max-h-64 gap-0.5 overflow-y-auto">
        {names.map((name) => {
          const count = agents.filter(({ tools }) => tools.includes(name)).length;
          return (
            <li key={name}>
              <label className="flex min-h-6 items-center gap-2 text-xs">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={count === agents.length}
                  ref={(box) => {
                    if (box) box.indeterminate = count > 0 && count < agents.length;
                  }}
                  onChange={(event) => set(name, event.target.checked)}
                />
                <span className="font-mono">{name}</span>
                {count > 0 && count < agents.length && (
                  <span className="text-text-muted tabular-nums">
                    {count} of {agents.length}
                  </span>
                )}
              </label>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

const giveTool = ({ name, tools }: Agent, tool: string): Edit[] => [
  { type: "set-agent-field", name, field: "tools", value: [...tools, tool] },
];

/** Removes the approval of the tool as well. */
export function takeTool({ name, tools, needs_approval: approved }: Agent, tool: string): Edit[] {
  const without = (field: "tools" | "needs_approval", list: readonly string[]): Edit => {
    const remaining = list.filter((candidate) => candidate !== tool);
    return { type: "set-agent-field", name, field, value: remaining.length === 0 ? undefined : remaining };
  };
  return [without("tools", tools), ...(approved.includes(tool) ? [without("needs_approval", approved)] : [])];
}
