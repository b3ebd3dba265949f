"use client";

import { Button } from "@/app/_ui/button";
import { useSession } from "../session-context";

/** Several nodes are selected: what can be done with all of them. */
export function ManySummary({ count }: { count: number }) {
  const { commands } = useSession();
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
    </div>
  );
}
