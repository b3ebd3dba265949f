import { Button } from "@/app/_ui/controls/button";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import { keyNames } from "@/lib/core/flow/node-key";
import { findNote } from "@/lib/core/flow/note";
import { useEditorState, useSession } from "../../state/session-context";
import { SharedAgentForm } from "./forms/shared-agent-form";

export function MultiSelection() {
  const { actions } = useSession();
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
      <div className="grid gap-2">
        {count > 1 && (
          <>
            <Button size="small" data-inspector-first onClick={() => actions.wrap("wrap-parallel")}>
              Wrap as parallel
            </Button>
            <Button size="small" onClick={() => actions.wrap("wrap-serial")}>
              Wrap as serial
            </Button>
            <Button size="small" onClick={() => actions.wrap("extract-swarm")}>
              Nest as swarm
            </Button>
            <Button size="small" onClick={() => actions.wrapInControl("loop")}>
              Repeat in a loop
            </Button>
          </>
        )}
        <Button
          size="small"
          variant="danger"
          data-inspector-first={count <= 1 || undefined}
          onClick={actions.deleteSelection}
        >
          Delete all
        </Button>
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
