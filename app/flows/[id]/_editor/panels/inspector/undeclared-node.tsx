import { Button } from "@/app/_ui/controls/button";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useSession } from "../../state/session-context";

export function UndeclaredNode({ node }: { node: ArrangedNode }) {
  const { actions } = useSession();
  return (
    <div className="grid gap-3">
      <h2 className="font-mono text-[13px] font-semibold">{node.name}</h2>
      <p className="text-text-muted">The flow contains this name, but it is not declared.</p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" variant="primary" data-inspector-first onClick={() => actions.declare(node.name)}>
          Declare as agent
        </Button>
        <Button size="small" variant="danger" onClick={actions.deleteSelection}>
          Remove from the flow
        </Button>
      </div>
    </div>
  );
}
