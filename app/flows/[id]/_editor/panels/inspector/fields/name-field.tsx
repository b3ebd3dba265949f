"use client";

import { useState } from "react";
import { useSession } from "../../../state/session-context";
import { TextField } from "./fields";

const firstField = "[data-inspector-first]";

export function NameField({ name }: { name: string }) {
  const { editor } = useSession();
  const [refused, setRefused] = useState<{ text: string; message: string } | null>(null);
  const rename = (text: string): void => {
    const to = text.trim();
    const isWriting = document.activeElement?.matches(firstField) === true;
    const problem = to === name ? null : editor.dispatch([{ type: "rename", from: name, to }]);
    // A renamed node gets a new form, which must not lose the focus.
    if (!problem && isWriting) requestAnimationFrame(() => document.querySelector<HTMLElement>(firstField)?.focus());
    setRefused(problem && { text, message: problem.message });
  };
  return (
    <TextField
      text={{ label: "Name", problem: refused?.message }}
      binding={{ value: refused?.text ?? name, onCommit: rename, commitOn: "leave" }}
      mono
      isFirst
    />
  );
}
