import { Search } from "lucide-react";
import { useEffect, useState } from "react";

const pauseMs = 300;

export function RunSearch({ value, onChange }: { value: string; onChange(value: string): void }) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [sent, setSent] = useState(value);
  // Going back changes it from outside; the echo of one's own typing must not undo what was typed since.
  if (lastValue !== value) {
    setLastValue(value);
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }
  const query = text.trim();
  useEffect(() => {
    if (query === sent) return;
    const timer = setTimeout(() => {
      setSent(query);
      onChange(query);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [query, sent, onChange]);
  return (
    <div className="relative min-w-0 flex-1 max-sm:basis-full sm:max-w-72">
      <Search size={14} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-text-faint" />
      <input
        type="search"
        aria-label="Search inputs and outputs"
        placeholder="Search inputs and outputs"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && setText("")}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-2 pl-8 placeholder:text-text-faint"
      />
    </div>
  );
}
