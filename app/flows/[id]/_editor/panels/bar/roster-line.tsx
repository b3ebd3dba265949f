import { swarmView } from "@/app/_kinds/swarm";
import { useEditorState } from "../../state/session-context";

const firsts = { handoff: "begins", team: "leads", orchestrate: "leads" } as const;

/** In place of the line where the members of the flow have no order: who they are, and what the first one does. */
export function RosterLine() {
  const swarm = useEditorState(({ flow }) => flow.swarm);
  if (!swarm || swarm.mode === "workflow") return null;
  const [first, ...others] = swarm.agents ?? [];
  const members = first === undefined ? "no members yet" : [`${first} (${firsts[swarm.mode]})`, ...others].join(", ");
  return (
    <p className="flex h-8 min-w-0 flex-1 items-center truncate text-text-muted">
      {swarmView.modes?.[swarm.mode]?.label}: {members}
    </p>
  );
}
