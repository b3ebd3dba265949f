import { Button } from "@/app/_ui/controls/button";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useSession } from "../../../state/session-context";

/** Replaces the node by its members. */
export function WriteOutButton({ node }: { node: ArrangedNode }) {
  const { actions, editor } = useSession();
  if (!node.placed) return null;
  const writeOut = (): void => {
    editor.select([node.key]);
    actions.wrap("inline");
  };
  return (
    <Button size="small" onClick={writeOut}>
      Write out here
    </Button>
  );
}
