import { ArrowRight, Boxes, Repeat, Rows3, Trash2 } from "lucide-react";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import { keyNames } from "@/lib/core/flow/node-key";
import { findNote } from "@/lib/core/flow/note";
import { CommandButton } from "../../commands/command-button";
import { useEditorState } from "../../state/session-context";
import { SharedAgentForm } from "./forms/shared-agent-form";

export function MultiSelection() {
  const flow = useEditorState((state) => state.flow);
  const selection = useEditorState((state) => state.selection);
  const layout = useEditorState((state) => state.layout);
  const keys = selection.filter((key) => !findNote(layout.notes, key));
  const count = keys.length;
  const notes = selection.length - count;
  const names = new Set(keys.map((key) => keyNames(key).at(-1) ?? ""));
  const agents = [...names].flatMap((name) => flow.agents.get(name) ?? []);
  return (
    <div className="grid min-h-0 content-start gap-3 overflow-y-auto p-3">
      <h2 className="text-[13px] font-semibold">{describeCounts(count, notes)} selected</h2>
      <div role="toolbar" aria-label="What to do with them" className="flex items-center gap-0.5">
        {count > 1 && (
          <>
            <CommandButton id="wrap-parallel" icon={Rows3} data-inspector-first />
            <CommandButton id="wrap-serial" icon={ArrowRight} />
            <CommandButton id="extract-swarm" icon={Boxes} />
            <CommandButton id="wrap-loop" icon={Repeat} />
          </>
        )}
        <CommandButton id="delete" icon={Trash2} data-inspector-first={count <= 1 || undefined} />
      </div>
      {agents.length > 1 && (
        <>
          <h3 className="border-line border-t pt-3 font-semibold text-xs">
            {agents.length === count ? "All of them" : `The ${formatCount(agents.length)} agents among them`}
          </h3>
          <SharedAgentForm key={[...names].join("\n")} agents={agents} />
        </>
      )}
    </div>
  );
}

function describeCounts(nodes: number, notes: number): string {
  if (notes === 0) return countNouns(nodes, "node");
  return nodes === 0 ? countNouns(notes, "note") : `${countNouns(nodes, "node")} and ${countNouns(notes, "note")}`;
}
