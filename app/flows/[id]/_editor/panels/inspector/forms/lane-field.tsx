import { printFlow } from "@/lib/core/dsl/print";
import type { Expression } from "@/lib/core/flow/expression";
import { useSession } from "../../../state/session-context";
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
  const { actions } = useSession();
  const scope = { type: "lane", name: control, lane } as const;
  return (
    <TextField
      text={{ label, hint }}
      binding={{
        value: flow ? printFlow(flow) : "",
        onCommit: (text) => actions.edit({ type: "set-flow-text", scope, text }),
        commitOn: "leave",
      }}
      input={{ placeholder: "lets the text through" }}
      mono
    />
  );
}
