import { printFlow } from "@/lib/core/dsl/print";
import type { Expression } from "@/lib/core/flow/expression";
import { useSession } from "../../../state/session-context";
import { writeLane } from "../../code/write-line";
import { TextField } from "../fields/fields";

interface LaneFieldProps {
  label: string;
  control: string;
  lane: string;
  flow: Expression | undefined;
  hint?: string | undefined;
}

/** The members of one lane, as DSL text. */
export function LaneField({ label, control, lane, flow, hint }: LaneFieldProps) {
  const { actions, editor } = useSession();
  const scope = { type: "lane", name: control, lane } as const;
  const commit = (line: string): string | boolean => {
    const written = writeLane(editor.store.getState().flow, scope, line, actions.usualModel());
    return written.ok ? actions.edit(...written.edits) : written.messages.join(" ");
  };
  return (
    <TextField
      text={{ label, hint }}
      binding={{ value: flow ? printFlow(flow) : "", onCommit: commit, commitOn: "leave" }}
      input={{ placeholder: "lets the text through" }}
      mono
    />
  );
}
