import type { Scope } from "@/lib/core/flow/edit";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { type DropPosition, listMoveTargets, scopeOf, toMoveEdit } from "../../../state/edits/drop-target";
import { useEditorState, useSession } from "../../../state/session-context";
import { ChooseField } from "./choose-field";

interface Target {
  scope: Scope;
  at: DropPosition | null;
}

const sides: readonly DropPosition["side"][] = ["before", "after", "beside"];
const toTitle = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

export function MoveField({ node }: { node: ArrangedNode }) {
  const { actions } = useSession();
  const flow = useEditorState((state) => state.flow);
  const nodes = useEditorState(({ arrangement }) => arrangement.nodes);
  const listTargets = (): { label: string; choice: Target }[] => {
    const into = listMoveTargets(flow, node).map(({ scope, label }) => ({
      label: `Into ${label}`,
      choice: { scope, at: null },
    }));
    const currentScope = scopeOf(flow, node);
    if (!currentScope) return into;
    const beside = nodes.filter(({ key, parent, placed }) => key !== node.key && parent === node.parent && placed);
    const spots = beside.flatMap(({ name }) => sides.map((side): DropPosition => ({ member: name, side })));
    return [
      ...into,
      ...spots.map((position) => ({
        label: `${toTitle(position.side)} ${position.member}`,
        choice: { scope: currentScope, at: position },
      })),
    ];
  };
  return (
    <ChooseField
      label="Move to…"
      prompt="Choose a position"
      count={nodes.length}
      list={listTargets}
      onChoose={({ scope, at: memberPosition }) => actions.edit(toMoveEdit(flow, node, scope, memberPosition))}
    />
  );
}
