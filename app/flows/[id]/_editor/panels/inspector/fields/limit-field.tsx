import { describeVariable, joinHints } from "@/app/_kinds/describe-variable";
import type { Edit } from "@/lib/core/flow/edit";
import { useSession } from "../../../state/session-context";
import { readNumber, type WrittenNumber } from "./agent-numbers";
import { TextField } from "./fields";

interface LimitFieldProps {
  label: string;
  hint: string;
  /** `written`: the text that contains a variable. */
  limit: { value: number | undefined; written?: string | undefined };
  placeholder: string;
  warning?: string | undefined;
  toEdit(value: WrittenNumber): Edit;
}

export function LimitField({ label, hint, limit: { value, written }, placeholder, warning, toEdit }: LimitFieldProps) {
  const { editor } = useSession();
  const commit = (text: string): string | undefined => {
    const read = readNumber(text);
    return read.ok ? editor.dispatch([toEdit(read.value)])?.message : read.message;
  };
  const text = String(written ?? value ?? "");
  return (
    <TextField
      text={{ label, hint: joinHints(describeVariable(written, value), hint), warning }}
      binding={{ value: text, onCommit: commit }}
      onReset={text === "" ? undefined : () => commit("")}
      input={{ placeholder, inputMode: "decimal" }}
    />
  );
}
