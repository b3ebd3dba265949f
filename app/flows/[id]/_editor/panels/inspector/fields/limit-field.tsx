import { describeVariable, joinHints } from "@/app/_kinds/describe-variable";
import type { Edit } from "@/lib/core/flow/edit";
import { useSession } from "../../../state/session-context";
import { readNumber, type WrittenLimit, type WrittenNumber } from "./agent-numbers";
import { TextField } from "./fields";

interface LimitFieldProps {
  label: string;
  hint: string;
  limit: WrittenLimit;
  placeholder: string;
  warning?: string | undefined;
  toEdits(value: WrittenNumber): readonly Edit[];
}

export function LimitField({ label, hint, limit, placeholder, warning, toEdits }: LimitFieldProps) {
  const { editor } = useSession();
  const { value, written, isMixed = false } = limit;
  const commit = (text: string): string | undefined => {
    const read = readNumber(text);
    return read.ok ? editor.dispatch(toEdits(read.value))?.message : read.message;
  };
  const text = String(written ?? value ?? "");
  return (
    <TextField
      text={{ label, hint: joinHints(describeVariable(written, value), hint), warning }}
      binding={{ value: text, onCommit: commit }}
      onReset={text === "" && !isMixed ? undefined : () => commit("")}
      input={{ placeholder: isMixed ? "mixed" : placeholder, inputMode: "decimal" }}
    />
  );
}
