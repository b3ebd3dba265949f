"use client";

import { useState } from "react";
import type { Edit } from "@/lib/core/flow/edit";
import { useEditorState, useSession } from "../session-context";
import { readNumber } from "./agent-numbers";
import { TextField } from "./fields";

interface LimitFieldProps {
  label: string;
  hint: string;
  value: number | undefined;
  placeholder: string;
  warning?: string | undefined;
  toEdit(value: number | undefined): Edit;
}

/** A number: empty means unset; what cannot be taken stays in the field with the reason under it. */
export function LimitField({ label, hint, value, placeholder, warning, toEdit }: LimitFieldProps) {
  const { editor } = useSession();
  const flow = useEditorState((state) => state.flow);
  const [refused, setRefused] = useState<{ text: string; message: string; flow: typeof flow } | null>(null);
  const rejected = refused?.flow === flow ? refused : null;
  const commit = (text: string): void => {
    const read = readNumber(text);
    const problem = read.ok ? editor.dispatch([toEdit(read.value)]) : read;
    setRefused(problem ? { text, message: problem.message, flow } : null);
  };
  return (
    <TextField
      label={label}
      value={rejected?.text ?? (value === undefined ? "" : String(value))}
      onCommit={commit}
      hint={hint}
      problem={rejected?.message}
      warning={warning}
      onReset={value === undefined ? undefined : () => commit("")}
      placeholder={placeholder}
      inputMode="decimal"
    />
  );
}
