"use client";

import { useState } from "react";
import { describeVariable, joinHints } from "@/app/_kinds/describe-variable";
import type { Edit } from "@/lib/core/flow/edit";
import { useEditorState, useSession } from "../../../state/session-context";
import { readNumber, type WrittenNumber } from "./agent-numbers";
import { TextField } from "./fields";

interface WrittenLimit {
  value: number | undefined;
  /** The text that contains a variable. */
  written?: string | undefined;
}

interface LimitFieldProps {
  label: string;
  hint: string;
  limit: WrittenLimit;
  placeholder: string;
  warning?: string | undefined;
  toEdit(value: WrittenNumber): Edit;
}

export function LimitField({ label, hint, limit, placeholder, warning, toEdit }: LimitFieldProps) {
  const { editor } = useSession();
  const flow = useEditorState((state) => state.flow);
  const [refused, setRefused] = useState<{ text: string; message: string; flow: typeof flow } | null>(null);
  const rejected = refused?.flow === flow ? refused : null;
  const commit = (text: string): void => {
    const read = readNumber(text);
    const problem = read.ok ? editor.dispatch([toEdit(read.value)]) : read;
    setRefused(problem ? { text, message: problem.message, flow } : null);
  };
  const { value, written } = limit;
  const writtenValue = written ?? value;
  return (
    <TextField
      text={{
        label,
        hint: joinHints(describeVariable(written, value), hint),
        problem: rejected?.message,
        warning,
      }}
      binding={{ value: rejected?.text ?? (writtenValue === undefined ? "" : String(writtenValue)), onCommit: commit }}
      onReset={writtenValue === undefined ? undefined : () => commit("")}
      input={{ placeholder, inputMode: "decimal" }}
    />
  );
}
