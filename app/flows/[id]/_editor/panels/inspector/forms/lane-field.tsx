"use client";

import { printFlow } from "@/lib/core/dsl/print";
import type { Edit } from "@/lib/core/flow/edit";
import type { Expression } from "@/lib/core/flow/expression";
import { useSession } from "../../../state/session-context";
import { TextField } from "../fields/fields";

type ControlEdit = Extract<Edit, { type: "set-control-field" }>;

/** An empty text unsets a field. */
export function useControl(name: string) {
  const { commands } = useSession();
  const toEdit = (path: string[], value: ControlEdit["value"]): ControlEdit => ({
    type: "set-control-field",
    name,
    path,
    value,
  });
  return {
    toEdit,
    set: (path: string[], text: string) => commands.edit(toEdit(path, text.trim() === "" ? undefined : text)),
    setAll: (...changes: [path: string[], value: ControlEdit["value"]][]) =>
      commands.edit(...changes.map(([path, value]) => toEdit(path, value))),
  };
}

export function LaneField({ name, label, lane, flow, hint }: LaneFieldProps) {
  const { commands } = useSession();
  return (
    <TextField
      label={label}
      value={flow ? printFlow(flow) : ""}
      onCommit={(text) => commands.edit({ type: "set-flow-text", scope: { type: "lane", name, lane }, text })}
      commitOn="leave"
      placeholder="lets the text through"
      hint={hint}
      mono
    />
  );
}

interface LaneFieldProps {
  name: string;
  label: string;
  lane: string;
  flow: Expression | undefined;
  hint?: string;
}
