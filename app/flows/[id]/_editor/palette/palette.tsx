"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { Command } from "cmdk";
import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Keys } from "@/app/_ui/keys";
import { KindIcon } from "@/app/_ui/kind-icon";
import { useSession } from "../session-context";
import { findEntries, listEntries, type PaletteEntry } from "./palette-entries";

/** Every command and every card by name: type, pick with the arrow keys, press Enter. */
export default function Palette() {
  const session = useSession();
  const router = useRouter();
  const [query, setQuery] = useState("");
  const [entries] = useState(() => listEntries(session, (path) => router.push(path)));
  const groups = findEntries(entries, query);
  const close = (): void => session.view.setState({ surface: null });
  return (
    <Base.Root open onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70dvh] w-[calc(100vw-24px)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-line bg-surface-raised shadow-popover">
          <Base.Title className="sr-only">Commands</Base.Title>
          <Command shouldFilter={false} loop label="Commands" className="flex min-h-0 flex-col">
            <div className="flex items-center gap-2 border-b border-line px-3">
              <Search size={15} aria-hidden className="shrink-0 text-text-muted" />
              <Command.Input
                value={query}
                onValueChange={setQuery}
                placeholder="Find a command or a card"
                className="h-11 min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-text-faint"
              />
            </div>
            <Command.List className="min-h-0 flex-1 overflow-y-auto p-1.5">
              {groups.length === 0 && <p className="px-2 py-6 text-center text-text-muted">Nothing fits “{query}”.</p>}
              {groups.map(([group, members]) => (
                <Command.Group key={group} heading={group} className="palette-group">
                  {members.map((entry) => (
                    <Line
                      key={entry.id}
                      entry={entry}
                      onPick={() => {
                        close();
                        entry.run();
                      }}
                    />
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Line({ entry, onPick }: { entry: PaletteEntry; onPick(): void }) {
  return (
    <Command.Item
      value={entry.id}
      onSelect={onPick}
      className="flex min-h-8 cursor-default items-center gap-2 rounded px-2 py-1 data-[selected=true]:bg-surface-selected"
    >
      {entry.kind && <KindIcon kind={entry.kind} />}
      <span className="min-w-0 truncate">{entry.title}</span>
      {entry.detail && <span className="min-w-0 truncate text-xs text-text-muted">{entry.detail}</span>}
      {entry.keys && <Keys keys={entry.keys} />}
    </Command.Item>
  );
}
