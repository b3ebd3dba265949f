"use client";

import dynamic from "next/dynamic";
import { Button } from "@/app/_ui/button";
import { loadPart } from "@/app/_ui/load-part";
import { keyNames } from "@/lib/core/flow/keys";
import { useEditorState, useSession } from "../session-context";

const ManyAgents = dynamic(() => loadPart(() => import("./many-agents")).then(({ ManyAgents: form }) => form), {
  ssr: false,
});

/** Several nodes are selected: what can be done with all of them. */
export function ManySummary({ count }: { count: number }) {
  const { commands } = useSession();
  const flow = useEditorState((state) => state.flow);
  const selection = useEditorState((state) => state.selection);
  const names = new Set(selection.map((key) => keyNames(key).at(-1) ?? ""));
  const agents = [...names].flatMap((name) => flow.agents.get(name) ?? []);
  return (
    <div className="grid gap-3">
      <h2 className="text-[13px] font-semibold">{count} nodes selected</h2>
      <div className="grid gap-2">
        <Button size="small" data-inspector-first onClick={() => commands.wrap("wrap-parallel")}>
          Wrap as parallel
        </Button>
        <Button size="small" onClick={() => commands.wrap("wrap-serial")}>
          Wrap as serial
        </Button>
        <Button size="small" onClick={() => commands.wrap("extract-swarm")}>
          Nest as swarm
        </Button>
        <Button size="small" variant="danger" onClick={commands.deleteSelection}>
          Delete all
        </Button>
      </div>
      {agents.length > 1 && (
        <>
          <h3 className="border-line border-t pt-3 font-semibold text-xs">
            {agents.length === count ? "All of them" : `The ${agents.length} agents among them`}
          </h3>
          <ManyAgents key={[...names].join("\n")} agents={agents} />
        </>
      )}
    </div>
  );
}
