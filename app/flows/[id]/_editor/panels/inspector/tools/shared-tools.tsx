import type { Agent } from "@/lib/core/kinds/agent";
import { useSession } from "../../../state/session-context";
import { setTool } from "../fields/agent-edits";
import { Section } from "../fields/section";

export function SharedTools({ agents }: { agents: readonly Agent[] }) {
  const { seed, actions } = useSession();
  const names = [...new Set([...agents.flatMap(({ tools }) => tools), ...seed.tools.map(({ name }) => name)])];
  const set = (tool: string, isOn: boolean): void => {
    const changing = agents.filter(({ tools }) => tools.includes(tool) !== isOn);
    actions.edit(...changing.flatMap((agent) => setTool(agent, tool, isOn)));
  };
  return (
    <Section title="Tools of all agents">
      <ul className="grid gap-0.5">
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
