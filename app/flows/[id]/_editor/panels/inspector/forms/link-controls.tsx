import { ArrowLeft, ArrowRight, X } from "lucide-react";
import { Button } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import type { Scope } from "@/lib/core/flow/edit";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { type DropPosition, listMoveTargets, scopeOf, toMoveEdit } from "../../../state/edits/drop-target";
import { useEditorState, useSession } from "../../../state/session-context";
import { ChooseField } from "../fields/choose-field";

export function LinkControls({ node }: { node: ArrangedNode }) {
  const { actions } = useSession();
  const nodes = useEditorState(({ arrangement }) => arrangement.nodes);
  const edges = useEditorState(({ arrangement }) => arrangement.edges);
  const links = edges.filter((edge) => edge.from === node.key || edge.to === node.key);
  const listTargets = () => {
    const linked = new Set([node.key, ...links.filter((edge) => edge.from === node.key).map((edge) => edge.to)]);
    return nodes.filter(({ key }) => !linked.has(key)).map(({ key, name }) => ({ label: name, choice: key }));
  };
  return (
    <div className="grid gap-2">
      {links.length > 0 && (
        <ul aria-label="Links" className="grid gap-0.5">
          {links.map((edge) => {
            const Arrow = edge.from === node.key ? ArrowRight : ArrowLeft;
            const text = edge.from === node.key ? `to ${edge.toName}` : `from ${edge.fromName}`;
            return (
              <li key={edge.key} className="flex items-center justify-between text-xs">
                <span className="flex min-w-0 items-center gap-1.5">
                  <Arrow size={12} aria-hidden className="shrink-0 text-text-muted" />
                  <span className="truncate font-mono">{text}</span>
                </span>
                <IconButton label={`Delete link ${text}`} onClick={() => actions.disconnect(edge.key)}>
                  <X size={14} />
                </IconButton>
              </li>
            );
          })}
        </ul>
      )}
      <ChooseField
        label="Connect to…"
        prompt="Choose a node"
        count={nodes.length}
        list={listTargets}
        onChoose={(key) => actions.connect(node.key, key)}
      />
      <MoveField node={node} />
      <div className="grid grid-cols-2 gap-2">
        <Button size="small" onClick={() => actions.addAfter(node.key)}>
          Insert after
        </Button>
        <Button size="small" onClick={() => actions.addLane(node.key)}>
          Add beside
        </Button>
      </div>
    </div>
  );
}

interface MoveTarget {
  scope: Scope;
  at: DropPosition | null;
}

const sides: readonly DropPosition["side"][] = ["before", "after", "beside"];
const toTitle = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

function MoveField({ node }: { node: ArrangedNode }) {
  const { actions } = useSession();
  const flow = useEditorState((state) => state.flow);
  const nodes = useEditorState(({ arrangement }) => arrangement.nodes);
  const listTargets = (): { label: string; choice: MoveTarget }[] => {
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
