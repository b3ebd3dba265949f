import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./icon-button";

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <IconButton label={done ? "Copied" : label} onClick={() => void copy()}>
      {done ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </IconButton>
  );
}
