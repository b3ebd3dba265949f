"use client";

import type { ArrangedNode } from "@/lib/core/flow/arrange";
import { placesFor, type Spot, scopeOf, toMoveEdit } from "../canvas/move-into";
import { useEditorState, useSession } from "../session-context";
import { SelectField } from "./fields";

const sides: readonly Spot["side"][] = ["before", "after", "beside"];
const toTitle = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** What dragging a card into a frame, or past its neighbours, does: without a pointer. */
export function MoveField({ node }: { node: ArrangedNode }) {
  const { commands } = useSession();
  const flow = useEditorState((state) => state.flow);
  const nodes = useEditorState(({ arrangement }) => arrangement.nodes);
  const own = scopeOf(flow, node);
  const places = placesFor(flow, node);
  const beside = nodes.filter(({ key, parent, placed }) => key !== node.key && parent === node.parent && placed);
  const spots = own ? beside.flatMap(({ name }) => sides.map((side) => ({ member: name, side }))) : [];
  const options = [
    ...places.map(({ scope, label }) => ({ label: `Into ${label}`, scope, at: null })),
    ...(own ? spots.map((at) => ({ label: `${toTitle(at.side)} ${at.member}`, scope: own, at })) : []),
  ];
  if (options.length === 0) return null;
  const move = (index: string): void => {
    const chosen = index === "" ? undefined : options[Number(index)];
    if (chosen) commands.edit(toMoveEdit(flow, node, chosen.scope, chosen.at));
  };
  return (
    <SelectField
      label="Move to…"
      value=""
      options={[
        { value: "", label: "Choose a place" },
        ...options.map(({ label }, index) => ({ value: String(index), label })),
      ]}
      onCommit={move}
    />
  );
}
