import { Command } from "cmdk";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { KindIcon } from "@/app/_kinds/kind-icon";
import { Shortcut } from "@/app/_ui/keys/keys";
import { findEntries, type ListEntry } from "./list-entry";

interface EntryListProps {
  label: string;
  placeholder: string;
  entries: readonly ListEntry[];
  onDone(): void;
  /** What is around it opened before this part was loaded, and has the focus. */
  takesFocus?: boolean;
}

export function EntryList({ label, placeholder, entries, onDone, takesFocus = false }: EntryListProps) {
  const [query, setQuery] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const groups = findEntries(entries, query);
  return (
    <Command shouldFilter={false} loop label={label} className="flex max-h-full min-h-0 flex-col">
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search size={15} aria-hidden className="shrink-0 text-text-muted" />
        <Command.Input
          ref={input}
          value={query}
          onValueChange={setQuery}
          placeholder={placeholder}
          className="h-10 min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-text-faint"
        />
      </div>
      <Command.List label={label} className="min-h-0 flex-1 overflow-y-auto p-1.5">
        {groups.length === 0 && <p className="px-2 py-6 text-center text-text-muted">No results for “{query}”.</p>}
        {groups.map(([group, members]) => (
          <Command.Group key={group} heading={group} className="palette-group">
            {members.map((entry) => {
              const EntryLine = entry.description ? DescribedLine : Line;
              return (
                <EntryLine
                  key={entry.id}
                  entry={entry}
                  onPick={() => {
                    onDone();
                    entry.run();
                  }}
                />
              );
            })}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

const lineClass = "flex cursor-default gap-2 rounded px-2 data-[selected=true]:bg-surface-selected";

function DescribedLine({ entry: { id, title, description }, onPick }: { entry: ListEntry; onPick(): void }) {
  if (!description) return null;
  const { icon: Icon, text, warning } = description;
  return (
    <Command.Item value={id} onSelect={onPick} className={`${lineClass} py-1.5`}>
      <Icon size={14} aria-hidden className="mt-0.5 shrink-0 text-text-muted" />
      <span className="grid min-w-0 gap-0.5 [overflow-wrap:anywhere]">
        {title}
        <span className="text-pretty text-text-muted text-xs">{text}</span>
        {warning && <span className="text-pretty text-warning text-xs">{warning}</span>}
      </span>
    </Command.Item>
  );
}

function Line({ entry, onPick }: { entry: ListEntry; onPick(): void }) {
  return (
    <Command.Item value={entry.id} onSelect={onPick} className={`${lineClass} min-h-8 items-center py-1`}>
      {entry.kind ? <KindIcon kind={entry.kind} /> : entry.detail && <span aria-hidden className="w-3.5 shrink-0" />}
      <span className="max-w-[60%] shrink-0 truncate">{entry.title}</span>
      {entry.detail && <span className="min-w-0 truncate text-xs text-text-muted">{entry.detail}</span>}
      {entry.keys && <Shortcut keys={entry.keys} />}
    </Command.Item>
  );
}
